#include "serve/message.h"

#include <algorithm>
#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "api/common.h"
#include "text/ascii.h"
#include "text/percent.h"

namespace hebb::serve {

namespace {

constexpr std::size_t kWorthCompressing = 1024;  // bytes

std::string_view trimmed(std::string_view text) { return trim(text, " \t"); }

Response problem_of(int status, const api::Json& body) {
  Response response;
  response.status = status;
  response.content_type = "application/problem+json";
  response.body = text_of(body);
  return response;
}

}  // namespace

std::string Request::media_type() const {
  const std::string& type = header("content-type");
  return to_lower(trimmed(std::string_view(type).substr(0, type.find(';'))));
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
  api::Json body = problem.json();
  const int status = api::info_of(problem.type).http_status;
  body["status"] = status;
  Response response = problem_of(status, body);
  if (problem.retry_after_ms) {
    response.headers.emplace_back("Retry-After",
                                  std::to_string((*problem.retry_after_ms + 999) / 1000));
  }
  return response;
}

Response problem_response(int status, const std::string& title, const std::string& detail) {
  return problem_of(status, {{"type", "about:blank"},
                             {"title", title},
                             {"detail", detail},
                             {api::kSchemaVersion, api::kSchemaVersionNow},
                             {"status", status}});
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

Response not_allowed(const std::string& methods) {
  Response response = problem_response(405, "Method Not Allowed", "this has " + methods);
  response.headers.emplace_back("Allow", methods);
  return response;
}

Response not_modified(const std::string& etag) {
  Response response;
  response.status = 304;
  response.headers.emplace_back("ETag", etag);
  return response;
}

bool is_known(const Request& request, std::string_view etag) {
  const auto strong = [](std::string_view tag) {
    return tag.starts_with("W/") ? tag.substr(2) : tag;
  };
  const std::string& known = request.header("if-none-match");
  const auto tags = split(known, ',');
  return trimmed(known) == "*" || std::any_of(tags.begin(), tags.end(), [&](std::string_view one) {
           return strong(trimmed(one)) == strong(etag);
         });
}

bool takes_gzip(std::string_view accept_encoding) {
  for (const std::string_view one : split(accept_encoding, ',')) {
    const auto parts = split(one, ';');
    const std::string coding = to_lower(trimmed(parts[0]));
    if (coding != "gzip" && coding != "x-gzip") continue;
    const std::string_view quality = parts.size() > 1 ? trimmed(parts[1]) : std::string_view();
    return !starts_with_ignoring_case(quality, "q=") ||
           std::strtod(std::string(quality.substr(2)).c_str(), nullptr) > 0;
  }
  return false;
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

int unnamed_file() {
  const char* folder = std::getenv("TMPDIR");
  std::string path = std::string(folder && *folder ? folder : "/tmp") + "/hebb-XXXXXX";
  const int fd = ::mkostemp(path.data(), O_CLOEXEC);
  if (fd >= 0) ::unlink(path.c_str());
  return fd;
}

void give_back_memory(std::size_t bytes) {
  constexpr std::size_t kMuch = 1 << 20;
  if (bytes < kMuch) return;
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_blank) {
  std::string encoded(text);
  if (plus_is_blank) std::replace(encoded.begin(), encoded.end(), '+', ' ');
  auto out = hebb::percent_decoded(encoded);
  if (!out || out->find('\0') != std::string::npos) return std::nullopt;
  try {
    api::require_text(*out, "text");
  } catch (const api::Problem&) {
    return std::nullopt;
  }
  return out;
}

}  // namespace hebb::serve
