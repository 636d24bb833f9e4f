// How many columns text takes on a terminal: none for combining characters, two for wide ones.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hebb::cli {

std::size_t display_width(std::string_view visible);  // of text without control characters

// All of it, or as much as fits in `width` columns with "…" at its end. Whole characters only.
std::string cut_to_width(std::string_view visible, std::size_t width);

}  // namespace hebb::cli
