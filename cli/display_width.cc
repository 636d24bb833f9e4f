#include "cli/display_width.h"

#include <algorithm>

#include <utf8proc.h>

namespace hebb::cli {

namespace {

struct Character {
  std::size_t bytes, columns;
};

// The first character of `text`. A byte that is not UTF-8 counts as one column.
Character first_of(std::string_view text) {
  utf8proc_int32_t c = 0;
  const auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                       static_cast<utf8proc_ssize_t>(text.size()), &c);
  if (length <= 0) return {1, 1};
  return {static_cast<std::size_t>(length), static_cast<std::size_t>(utf8proc_charwidth(c))};
}

}  // namespace

std::size_t display_width(std::string_view visible) {
  std::size_t width = 0;
  while (!visible.empty()) {
    const Character c = first_of(visible);
    width += c.columns;
    visible.remove_prefix(c.bytes);
  }
  return width;
}

std::string cut_to_width(std::string_view visible, std::size_t width) {
  if (display_width(visible) <= width) return std::string(visible);
  if (width == 0) return {};
  std::size_t end = 0, columns = 0;
  while (end < visible.size()) {
    const Character c = first_of(visible.substr(end));
    if (columns + c.columns > width - 1) break;
    columns += c.columns;
    end += c.bytes;
  }
  return std::string(visible.substr(0, end)) + "…";
}

}  // namespace hebb::cli
