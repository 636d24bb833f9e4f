// Keys by the names that Playwright and browsers give them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hebb::skill {

inline constexpr int kAltBit = 1, kControlBit = 2, kMetaBit = 4, kShiftBit = 8;

struct KeyPress {
  std::string key, code;  // as in KeyboardEvent
  std::string text;       // what it writes; empty: nothing
  int virtual_code = 0;
  int modifier = 0;  // the bit of a key that is one
};

KeyPress key_of(std::string_view name);                    // throws Invalid
std::vector<std::string> split_chord(std::string_view);    // "Control+Shift+a"
int modifier_bits(const std::vector<std::string>& names);  // throws Invalid

}  // namespace hebb::skill
