// What to look for, to find a value however it is written.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hebb::secrets {

struct Spelling {
  std::string text;
  std::size_t least;  // bytes that it takes in a text to spell the value; fewer say something else
};

// The value as it stands, in its canonical form, and what base64 of a longer text shows of it. Each
// once.
std::vector<Spelling> spellings(std::string_view value);

}  // namespace hebb::secrets
