// How many of something, in words for people.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace hebb {

// "1 task", "2 tasks": `more` is the word for several; empty: `one` with an s.
inline std::string counted(std::int64_t n, std::string_view one, std::string_view more = {}) {
  const std::string_view word = n == 1 || more.empty() ? one : more;
  return std::to_string(n) + " " + std::string(word) + (n != 1 && more.empty() ? "s" : "");
}

}  // namespace hebb
