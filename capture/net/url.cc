// The address of an HTTP server.
#include <algorithm>
#include <charconv>
#include <stdexcept>

#include <fmt/format.h>

#include "capture/net/peer.h"

namespace hebb {
namespace {

constexpr std::string_view kHttp = "http://";
constexpr std::string_view kHttps = "https://";

}  // namespace

std::string HttpUrl::address() const {
  const bool brackets = host.find(':') != std::string::npos;
  return fmt::format("{}{}{}:{}", brackets ? "[" : "", host, brackets ? "]" : "", port);
}

std::string HttpUrl::text() const {
  return fmt::format("{}{}{}", tls ? kHttps : kHttp, address(), path.substr(0, path.find('?')));
}

bool is_http_url(std::string_view text) {
  return text.starts_with(kHttp) || text.starts_with(kHttps);
}

HttpUrl parse_http_url(std::string_view text, std::string_view example) {
  const auto refuse = [example](std::string_view shown, std::string_view why) {
    throw std::invalid_argument(fmt::format(
        "\"{}\" is no address of a server: {}; write one such as {}", shown, why, example));
  };
  if (!is_http_url(text)) refuse(text, "it does not begin with http:// or https://");
  // Checked first, because the other error texts quote the address, which must not show a password.
  const std::size_t slashes = text.find("//") + 2;
  if (text.substr(slashes, text.find_first_of("/?#", slashes) - slashes).find('@') !=
      std::string_view::npos) {
    refuse(text.substr(0, slashes), "a password in it would be seen by others");
  }
  const bool has_unsafe = std::any_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) <= ' ' || static_cast<unsigned char>(c) >= 0x7f;
  });
  if (has_unsafe) refuse(text, "it has a character that must be written as %NN");
  if (text.find('#') != std::string_view::npos) refuse(text, "a server sees nothing after a #");
  HttpUrl url;
  url.tls = text.starts_with(kHttps);
  std::string_view rest = text.substr((url.tls ? kHttps : kHttp).size());
  const std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
  std::string_view authority = rest.substr(0, end);
  rest.remove_prefix(end);
  url.path = rest.starts_with('/') ? std::string(rest) : "/" + std::string(rest);
  std::string_view port;
  if (authority.starts_with('[')) {
    const std::size_t bracket = authority.find(']');
    if (bracket == std::string_view::npos) refuse(text, "its [ is not closed");
    url.host = authority.substr(1, bracket - 1);
    port = authority.substr(bracket + 1);
  } else {
    url.host = authority.substr(0, authority.find(':'));
    port = authority.substr(url.host.size());
  }
  if (url.host.empty()) refuse(text, "it names no host");
  url.port = url.tls ? 443 : 80;
  if (port.empty()) return url;
  port.remove_prefix(1);
  const auto [last, error] = std::from_chars(port.data(), port.data() + port.size(), url.port);
  const bool whole = error == std::errc() && last == port.data() + port.size();
  if (!whole || url.port < 1 || url.port > 65535) refuse(text, "its port is none from 1 to 65535");
  return url;
}

}  // namespace hebb
