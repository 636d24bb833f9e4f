#include "serve/cached_responses.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "api/ingest.h"
#include "api/values.h"

namespace hebb::serve {

std::shared_ptr<const Response> CachedResponses::find(const std::string& target,
                                                      std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  const auto it = entries_.find(target);
  if (it == entries_.end()) return nullptr;
  it->second.renewals = 0;
  if (now_ms >= it->second.response->holds_until) return nullptr;
  return it->second.response;
}

void CachedResponses::store(const std::string& target, std::int64_t position,
                            const Response& response) {
  const std::lock_guard lock(mutex_);
  const bool room = entries_.size() < kMost || entries_.contains(target);
  if (position != position_ || target.size() > kLongestTarget || !room) return;
  if (response.body.size() > kLongestBody) return;
  entries_[target].response = std::make_shared<const Response>(response);
}

void CachedResponses::drop() {
  const std::lock_guard lock(mutex_);
  entries_.clear();
}

void CachedResponses::renew(std::int64_t position, const Make& make) {
  const std::lock_guard one_at_a_time(renewing_);
  if (position <= position_) return;
  std::map<std::string, Entry> entries;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [target, entry] : entries_) {
      if (entry.renewals < kRenewals) entries[target].renewals = entry.renewals + 1;
    }
  }
  for (auto& [target, entry] : entries) {
    Response response = make(target);
    if (response.status == 200 && response.body.size() <= kLongestBody)
      entry.response = std::make_shared<const Response>(std::move(response));
  }
  std::erase_if(entries, [](const auto& one) { return one.second.response == nullptr; });
  const std::lock_guard lock(mutex_);
  entries_ = std::move(entries);
  position_ = position;
}

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

std::string digest_of(const Request& request) {
  std::string body = content_hash(request.body);
  if (request.body_file >= 0) {
    Input file(request.body_reader(), std::numeric_limits<std::uint64_t>::max());
    while (file.more()) file.skip(file.ahead().size());
    body = file.hash();
  }
  return content_hash(fmt::format("{} {}\n{}", request.method, request.target, body));
}

std::optional<Response> KeyedResponses::find(const std::string& key,
                                             const std::string& digest) const {
  const auto it = by_key_.find(key);
  if (it == by_key_.end()) return std::nullopt;
  if (it->second.digest == digest) return it->second.response;
  return problem_response(422, "Unprocessable Content",
                          "this Idempotency-Key came with another request before");
}

void KeyedResponses::forget(const std::string& key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return;
  bytes_ -= found->second.response.body.size();
  by_key_.erase(found);
  std::erase(keys_, key);
}

void KeyedResponses::store(const std::string& key, const std::string& digest,
                           const Response& response) {
  by_key_[key] = {digest, response};
  by_key_[key].response.gzip.clear();
  keys_.push_back(key);
  bytes_ += response.body.size();
  while (keys_.size() > kMost || (bytes_ > kMostBytes && keys_.size() > 1)) {
    const auto oldest = by_key_.find(keys_.front());
    bytes_ -= oldest->second.response.body.size();
    by_key_.erase(oldest);
    keys_.pop_front();
  }
}

}  // namespace hebb::serve
