// Letters of ASCII, whatever the locale: those of the lowest room, for the rooms above.
#pragma once

#include <algorithm>
#include <string_view>

#include "secrets/ascii.h"

namespace hebb {

using secrets::is_digit;
using secrets::is_letter;
using secrets::is_lower;
using secrets::is_upper;
using secrets::to_lower;

inline std::string_view trim(std::string_view text, std::string_view blanks = " \t\r\n") {
  const auto begin = text.find_first_not_of(blanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

// Capital letters make no difference; as SQLite's NOCASE has it.
inline bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return to_lower(x) == to_lower(y); });
}

}  // namespace hebb
