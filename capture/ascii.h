// Functions for ASCII text, besides engine/values/ascii.h.
#pragma once

#include <string_view>

#include "engine/values/ascii.h"

namespace hebb::capture {

// Nothing but spaces, tabs and ends of lines.
constexpr bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

using secrets::among;

}  // namespace hebb::capture
