// Decides from the headers, before a body is read, whether a request is let through.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/message.h"

namespace hebb::serve {

struct GuardOptions {
  // What Host and Origin may name: "127.0.0.1:7433", in small letters. A web page elsewhere whose
  // name is made to resolve to this machine (DNS rebinding) sends its own name, and is refused.
  std::vector<std::string> hosts;
  std::string token;  // that requests must have; empty: none
};

// The refusal; nullopt: the request, which has its route, may go on.
std::optional<Response> refuse(const GuardOptions& options, const Request& request);

// Compares in a time that depends only on the lengths.
bool same_secret(std::string_view expected, std::string_view given);

}  // namespace hebb::serve
