// How a value may be written where it comes again.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hebb::capture {

// The value as it stands, escaped for JSON (once and twice), for addresses and forms, for HTML and
// for a string of a program, and what base64 of a longer text shows of it. Each once.
std::vector<std::string> spellings(std::string_view value);

}  // namespace hebb::capture
