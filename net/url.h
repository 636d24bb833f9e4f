// The address of a server that is reached over HTTP.
#pragma once

#include <string>
#include <string_view>

namespace hebb {

struct HttpUrl {
  bool tls = false;
  std::string host;  // without the brackets of an IPv6 address
  int port = 0;
  std::string path;  // with the query; at least "/"

  std::string address() const;  // host:port, an IPv6 address in brackets
  std::string text() const;     // without the query, which may hold a key
};

bool is_http_url(std::string_view text);  // begins with http:// or https://

// Throws std::invalid_argument that says what is wrong and what to write, such as `example`.
HttpUrl parse_http_url(std::string_view text, std::string_view example);

}  // namespace hebb
