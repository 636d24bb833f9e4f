// Helpers for reading a JSON-RPC message, beside the scanner (mcp_scan.h).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "capture/record/mcp_scan.h"

namespace hebb::capture {

inline constexpr std::size_t kRequestIdBytes = 1024;  // a longer id is not paired

// An id as a key: "1" and 1 are different ids, 1 and 1.0 are the same. Empty: no id, or too long.
std::string request_key(const CapturedValue& id);
bool too_long(const CapturedValue& id);

// The texts of a line's messages, several in a batch; unchecked: parsing them finds errors. A batch
// inside a batch is left out. O(length), whatever the depth.
std::vector<std::string_view> messages_of(std::string_view line);

}  // namespace hebb::capture
