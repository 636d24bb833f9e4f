// Keys by their names in Playwright and browsers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hebb::skill {

inline constexpr int kAltBit = 1, kControlBit = 2, kMetaBit = 4, kShiftBit = 8;

struct KeyPress {
  std::string key, code;  // as in KeyboardEvent
  std::string text;       // the text that it types; empty: none
  int virtual_code = 0;
  int modifier = 0;  // its bit, if it is a modifier key
};

KeyPress key_of(std::string_view name);                    // throws Invalid
std::vector<std::string> split_chord(std::string_view);    // "Control+Shift+a"
int modifier_bits(const std::vector<std::string>& names);  // throws Invalid

}  // namespace hebb::skill
