// The spellings of a value to search for.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hebb::secrets {

struct Spelling {
  std::string text;
  std::size_t least;  // the least bytes that spell the value in a text
};

// The value itself, its canonical form, and its part in the base64 of a longer text. Each once.
std::vector<Spelling> spellings(std::string_view value);

}  // namespace hebb::secrets
