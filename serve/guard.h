// Who may ask at all: decided from the headers, before a body is read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/message.h"

namespace hebb::serve {

struct GuardOptions {
  // "127.0.0.1:7433", in small letters: what Host and Origin may name. A page elsewhere whose name
  // leads here (DNS rebinding) names itself.
  std::vector<std::string> hosts;
  std::string token;  // empty: none is asked for
};

// The refusal; nothing: go on.
std::optional<Response> refuse(const GuardOptions& options, const Request& request);

// In a time that depends on the lengths alone.
bool same_secret(std::string_view expected, std::string_view given);

}  // namespace hebb::serve
