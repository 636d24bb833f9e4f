#include "serve/guard.h"

#include <algorithm>

#include "serve/page.h"

namespace hebb::serve {

namespace {

bool is_ours(const GuardOptions& options, const std::string& host) {
  return std::find(options.hosts.begin(), options.hosts.end(), in_small_letters(host)) !=
         options.hosts.end();
}

bool foreign_page(const GuardOptions& options, const Request& request) {
  const std::string& site = request.header("sec-fetch-site");
  if (!site.empty() && site != "same-origin" && site != "none") return true;
  if (!request.headers.contains("origin")) return false;
  constexpr std::string_view kHttp = "http://", kHttps = "https://";
  const std::string& origin = request.header("origin");
  for (const auto scheme : {kHttp, kHttps}) {
    if (origin.starts_with(scheme)) return !is_ours(options, origin.substr(scheme.size()));
  }
  return true;
}

}  // namespace

std::string in_small_letters(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

bool same_secret(std::string_view expected, std::string_view given) {
  // The loop does not stop early, so that its time does not tell how many characters were right.
  unsigned difference = expected.size() == given.size() ? 0U : 1U;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const char other = expected.empty() ? '\0' : expected[i % expected.size()];
    difference |= static_cast<unsigned char>(given[i] ^ other);
  }
  return difference == 0 && !expected.empty();
}

std::optional<Response> refuse(const GuardOptions& options, const Request& request) {
  if (!is_ours(options, request.header("host"))) {
    return problem_response(421, "Misdirected Request",
                            "this server does not answer to the name in Host; start it with "
                            "--host NAME if it is to");
  }
  if (foreign_page(options, request)) {
    return problem_response(403, "Forbidden", "a page of another origin may not ask");
  }
  if (options.token.empty() || request.target == "/healthz" || is_page(request.target))
    return std::nullopt;
  constexpr std::string_view kBearer = "bearer ";
  const std::string& given = request.header("authorization");
  const bool bearer = in_small_letters(given.substr(0, kBearer.size())) == kBearer;
  if (bearer && same_secret(options.token, std::string_view(given).substr(kBearer.size())))
    return std::nullopt;
  Response response =
      problem_response(401, "Unauthorized", "send the token: Authorization: Bearer TOKEN");
  response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

}  // namespace hebb::serve
