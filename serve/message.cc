#include "serve/message.h"

#include <algorithm>
#include <cstdlib>

#include <unistd.h>
#include <zlib.h>

#include "serve/guard.h"

namespace hebb::serve {

namespace {

constexpr std::size_t kWorthCompressing = 1024;  // bytes

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Calls use() with each element of a list as headers have it, until it returns true.
template <class Use>
bool any_of_list(std::string_view list, Use use) {
  for (std::size_t at = 0; at < list.size();) {
    const auto end = std::min(list.find(',', at), list.size());
    if (use(trimmed(list.substr(at, end - at)))) return true;
    at = end + 1;
  }
  return false;
}

Response response_of(int status, const nlohmann::ordered_json& body) {
  Response response;
  response.status = status;
  response.content_type = "application/problem+json";
  response.body = body.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return response;
}

}  // namespace

std::string Request::media_type() const {
  const std::string& type = header("content-type");
  return in_small_letters(std::string(trimmed(std::string_view(type).substr(0, type.find(';')))));
}

std::function<std::size_t(char* to, std::size_t room)> Request::body_reader() const {
  return [file = body_file, at = off_t{0}](char* to, std::size_t room) mutable {
    const auto got = ::pread(file, to, room, at);
    if (got < 0) throw api::Problem(api::ProblemType::failed, "the body cannot be read again");
    at += got;
    return static_cast<std::size_t>(got);
  };
}

Response problem_response(const api::Problem& problem) {
  nlohmann::ordered_json body = problem.json();
  const int status = api::info_of(problem.type).http_status;
  body["status"] = status;
  Response response = response_of(status, body);
  if (problem.retry_after_ms) {
    response.headers.emplace_back("Retry-After",
                                  std::to_string((*problem.retry_after_ms + 999) / 1000));
  }
  return response;
}

Response problem_response(int status, const std::string& title, const std::string& detail) {
  return response_of(
      status, {{"type", "about:blank"}, {"title", title}, {"detail", detail}, {"status", status}});
}

Response failed_response() {
  return problem_response(500, "Internal Server Error",
                          "the request ended with an error that the server's log has");
}

Response too_much_held() {
  return try_again(503, "Service Unavailable", "others have not taken their answers yet", 1);
}

Response try_again(int status, const std::string& title, const std::string& detail, int seconds) {
  Response response = problem_response(status, title, detail);
  response.headers.emplace_back("Retry-After", std::to_string(seconds));
  return response;
}

bool names_tag(const std::string& if_none_match, const std::string& etag) {
  if (trimmed(if_none_match) == "*") return true;
  const auto strong = [](std::string_view tag) {
    return tag.starts_with("W/") ? tag.substr(2) : tag;
  };
  return any_of_list(if_none_match,
                     [&](std::string_view one) { return strong(one) == strong(etag); });
}

bool takes_gzip(const std::string& accept_encoding) {
  return any_of_list(accept_encoding, [](std::string_view one) {
    const auto semicolon = one.find(';');
    const std::string coding = in_small_letters(std::string(trimmed(one.substr(0, semicolon))));
    if (coding != "gzip" && coding != "x-gzip") return false;
    if (semicolon == std::string_view::npos) return true;
    const std::string quality = in_small_letters(std::string(trimmed(one.substr(semicolon + 1))));
    return !quality.starts_with("q=") || std::strtod(quality.c_str() + 2, nullptr) > 0;
  });
}

void compress(Response& response) {
  if (response.body.size() < kWorthCompressing || !response.gzip.empty()) return;
  constexpr int kGzip = 15 + 16;  // the largest window, and a gzip header
  z_stream z{};
  if (deflateInit2(&z, 3, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) != Z_OK) return;
  std::string out(deflateBound(&z, response.body.size()), '\0');
  z.next_in = reinterpret_cast<Bytef*>(response.body.data());
  z.avail_in = static_cast<uInt>(response.body.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  const bool done = deflate(&z, Z_FINISH) == Z_STREAM_END;
  out.resize(z.total_out);
  deflateEnd(&z);
  if (done && out.size() < response.body.size()) response.gzip = std::move(out);
}

}  // namespace hebb::serve
