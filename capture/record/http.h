// An HTTP server as given in a command line: its address and its headers.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/net/peer.h"

namespace hebb::capture {

struct HttpServer {
  HttpUrl url;
  HttpHeaders headers;  // sent with every request
};

// Parses "Name: value" from a command line. Throws std::invalid_argument, whose text does not
// contain the value.
std::pair<std::string, std::string> parse_http_header(std::string_view text);

// The server's secrets: values under secret-looking names in the headers and the address's query.
std::vector<std::string> credentials(const HttpServer& server);

}  // namespace hebb::capture
