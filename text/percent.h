// Percent-encoding (RFC 3986).
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace hebb {

// The decoded bytes. nullopt: a "%" is not followed by two hexadecimal digits.
inline std::optional<std::string> percent_decoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    out += text[i];
    if (text[i] != '%') continue;
    const std::string_view digits = text.substr(i + 1, 2);
    unsigned char byte = 0;
    const char* const end = std::from_chars(digits.begin(), digits.end(), byte, 16).ptr;
    if (digits.size() != 2 || end != digits.end()) return std::nullopt;
    out.back() = static_cast<char>(byte);
    i += 2;
  }
  return out;
}

}  // namespace hebb
