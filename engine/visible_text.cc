#include "engine/visible_text.h"

#include <cstdint>

#include <fmt/format.h>

namespace hebb {

namespace {

bool is_hidden(std::uint32_t c) {
  return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0) || c == 0x061C ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF || c == 0xFFFE || c == 0xFFFF;
}

// The character that begins at i, of up to three bytes, and its length. Longer ones are none of
// those that are hidden; bytes that begin none stand for themselves.
std::pair<std::uint32_t, std::size_t> character(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) -> std::uint32_t {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U;
  };
  const std::uint32_t a = byte(i), b = byte(i + 1), c = byte(i + 2);
  if ((a & 0xE0) == 0xC0 && (b & 0xC0) == 0x80) return {(a & 0x1F) << 6 | (b & 0x3F), 2};
  if ((a & 0xF0) == 0xE0 && (b & 0xC0) == 0x80 && (c & 0xC0) == 0x80) {
    return {(a & 0x0F) << 12 | (b & 0x3F) << 6 | (c & 0x3F), 3};
  }
  return {a < 0x80 ? a : 0xFFFD, 1};
}

}  // namespace

std::string visible_text(std::string_view utf8) {
  std::string out;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto [c, length] = character(utf8, i);
    if (is_hidden(c)) {
      out += fmt::format("\\u{:04x}", c);
    } else {
      out += utf8.substr(i, length);
    }
    i += length;
  }
  return out;
}

}  // namespace hebb
