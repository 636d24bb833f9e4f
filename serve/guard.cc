#include "serve/guard.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "text/ascii.h"

namespace hebb::serve {

namespace {

// Headers that must not be repeated, since their values could contradict each other.
constexpr std::array<std::string_view, 7> kOnce{
    "Host",   "Content-Length", "Transfer-Encoding", "Authorization",
    "Origin", "Sec-Fetch-Site", "Idempotency-Key"};

bool is_ours(const GuardOptions& options, const std::string& host) {
  return std::find(options.hosts.begin(), options.hosts.end(), to_lower(host)) !=
         options.hosts.end();
}

bool foreign_page(const GuardOptions& options, const Request& request) {
  const std::string& site = request.header("sec-fetch-site");
  // Links to the page from other sites work, since the page holds no data.
  const bool link = request.route.file && request.header("sec-fetch-mode") == "navigate" &&
                    request.header("sec-fetch-dest") == "document";
  if (!site.empty() && site != "same-origin" && site != "none" && !link) return true;
  if (!request.headers.contains("origin")) return false;
  constexpr std::string_view kHttp = "http://", kHttps = "https://";
  const std::string& origin = request.header("origin");
  for (const auto scheme : {kHttp, kHttps}) {
    if (origin.starts_with(scheme)) return !is_ours(options, origin.substr(scheme.size()));
  }
  return true;
}

// Refuses headers that a proxy may read differently from this server: one of
// the two would then see two requests in one (request smuggling).
std::optional<Response> refuse_framing(const Request& request) {
  const auto& repeated = request.repeated;
  for (const std::string_view name : kOnce) {
    if (std::find(repeated.begin(), repeated.end(), to_lower(name)) == repeated.end()) continue;
    return problem_response(400, "Bad Request",
                            fmt::format("{} may be there once, and is there twice", name));
  }
  if (!request.headers.contains("transfer-encoding")) return std::nullopt;
  const bool chunked = to_lower(request.header("transfer-encoding")) == "chunked";
  if (chunked && !request.is_old && !request.headers.contains("content-length"))
    return std::nullopt;
  return problem_response(400, "Bad Request", "Transfer-Encoding may be chunked alone");
}

}  // namespace

bool same_secret(std::string_view expected, std::string_view given) {
  // The loop does not stop early, so that its time does not reveal how many characters were right.
  unsigned difference = expected.size() == given.size() ? 0U : 1U;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const char other = expected.empty() ? '\0' : expected[i % expected.size()];
    difference |= static_cast<unsigned char>(given[i] ^ other);
  }
  return difference == 0 && !expected.empty();
}

std::optional<Response> refuse(const GuardOptions& options, const Request& request) {
  if (auto refusal = refuse_framing(request)) return refusal;
  if (!is_ours(options, request.header("host"))) {
    return problem_response(421, "Misdirected Request",
                            "this server does not answer to the name in Host; start it with "
                            "--host NAME if it is to");
  }
  if (foreign_page(options, request)) {
    return problem_response(403, "Forbidden", "a page of another origin may not ask");
  }
  const bool holds_data = request.route.site != Site::healthz && !request.route.file;
  if (options.token.empty() || !holds_data) return std::nullopt;
  constexpr std::string_view kBearer = "bearer ";
  const std::string& given = request.header("authorization");
  if (starts_with_ignoring_case(given, kBearer) &&
      same_secret(options.token, std::string_view(given).substr(kBearer.size())))
    return std::nullopt;
  Response response =
      problem_response(401, "Unauthorized", "send the token: Authorization: Bearer TOKEN");
  response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

}  // namespace hebb::serve
