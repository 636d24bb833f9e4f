// Text that others wrote, made fit to be shown: nothing in it is hidden, moves the cursor or turns
// the direction of writing.
#pragma once

#include <string>
#include <string_view>

namespace hebb {

// Control characters but newline and tab, line and paragraph separators, marks of direction, byte
// order marks and non-characters become \uXXXX; all else stays. O(n).
std::string visible_text(std::string_view utf8);

}  // namespace hebb
