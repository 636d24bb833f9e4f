// Characters of texts in UTF-8, by utf8proc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <utf8proc.h>

namespace hebb {

// The code of a byte that is not UTF-8.
inline constexpr std::int32_t kReplacement = 0xFFFD;

struct Utf8Character {
  std::int32_t code = kReplacement;
  std::size_t bytes = 1;
  bool is_valid = false;
};

// The first character. A byte that begins no character counts as one. Precondition: `text` is not
// empty.
inline Utf8Character first_character(std::string_view text) {
  utf8proc_int32_t code = 0;
  const auto bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                      static_cast<utf8proc_ssize_t>(text.size()), &code);
  if (bytes <= 0) return {};
  return {code, static_cast<std::size_t>(bytes), true};
}

// Precondition: `code` is at most 0x10FFFF. Half of a surrogate pair gets the three bytes of its
// number.
inline std::string utf8_of(std::int32_t code) {
  utf8proc_uint8_t bytes[4];
  const auto length = utf8proc_encode_char(code, bytes);
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length)};
}

// Whether the byte continues a character that an earlier byte began.
constexpr bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace hebb
