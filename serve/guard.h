// Decides from the headers, before a body is read, whether a request is allowed.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/message.h"

namespace hebb::serve {

struct GuardOptions {
  // The allowed values of Host and Origin: "127.0.0.1:7433", in lower case. A web page elsewhere
  // whose name is made to resolve to this machine (DNS rebinding) sends its own name, and is
  // refused.
  std::vector<std::string> hosts;
  std::string token;  // required in requests; empty: none
};

// The refusal of a request whose route is set; nullopt: it is allowed.
std::optional<Response> refuse(const GuardOptions& options, const Request& request);

// Compares in a time that depends only on the lengths.
bool same_secret(std::string_view expected, std::string_view given);

}  // namespace hebb::serve
