#include "serve/idempotency.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "api/digest.h"
#include "api/ingest.h"

namespace hebb::serve {

void require_key(const std::string& key) {
  constexpr std::size_t kLongest = 255;
  const bool printable =
      std::all_of(key.begin(), key.end(), [](char c) { return c >= ' ' && c <= '~'; });
  if (!key.empty() && key.size() <= kLongest && printable) return;
  throw api::Problem(
      api::ProblemType::invalid_argument,
      fmt::format("an Idempotency-Key has 1 to {} characters, all of them printable ASCII",
                  kLongest),
      "Idempotency-Key");
}

void name_by_key(api::Json& asked, std::string_view field, const std::string& key) {
  if (field.empty() || key.empty()) return;
  api::Json& id = asked[std::string(field)];
  if (id.is_null() || id == "") id = api::id_from_key(key, 1);
}

std::string digest_of(const Request& request) {
  std::string body = api::digest(request.body);
  if (request.body_file >= 0) {
    Input file(request.body_reader(), std::numeric_limits<std::uint64_t>::max());
    while (file.more()) file.skip(file.ahead().size());
    body = file.hash();
  }
  return api::digest(fmt::format("{} {}\n{}", request.method, request.target, body));
}

std::optional<Response> KeyedResponses::find(const std::string& key,
                                             const std::string& digest) const {
  const auto it = done_.find(key);
  if (it == done_.end()) return std::nullopt;
  if (it->second.digest == digest) return it->second.response;
  return problem_response(422, "Unprocessable Content",
                          "this Idempotency-Key came with another request before");
}

void KeyedResponses::keep(const std::string& key, const std::string& digest,
                          const Response& response) {
  done_[key] = {digest, response};
  done_[key].response.gzip.clear();
  keys_.push_back(key);
  bytes_ += response.body.size();
  while (keys_.size() > kMost || (bytes_ > kMostBytes && keys_.size() > 1)) {
    const auto oldest = done_.find(keys_.front());
    bytes_ -= oldest->second.response.body.size();
    done_.erase(oldest);
    keys_.pop_front();
  }
}

}  // namespace hebb::serve
