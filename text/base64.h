// Base64 as RFC 4648 has it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace hebb {

// The alphabet of section 4, and of section 5: for URLs.
inline constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
inline constexpr std::string_view kBase64Url =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

// The value of a digit of either alphabet; -1: it is no digit.
constexpr int base64_digit(char c) {
  constexpr std::array<signed char, 256> kValues = [] {
    std::array<signed char, 256> values{};
    values.fill(-1);
    for (const std::string_view digits : {kBase64, kBase64Url}) {
      for (std::size_t i = 0; i < digits.size(); ++i)
        values[static_cast<unsigned char>(digits[i])] = static_cast<signed char>(i);
    }
    return values;
  }();
  return kValues[static_cast<unsigned char>(c)];
}

// Encodes with padding.
inline std::string base64_encoded(std::string_view bytes, std::string_view digits = kBase64) {
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k)
      group = group << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k)
      out += i + k <= bytes.size() ? digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

// Decodes section 4. nullopt: the text is not base64 with padding.
inline std::optional<std::string> base64_decoded(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  text.remove_suffix(text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0);
  std::string out;
  out.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int count = 0;  // number of bits that are not in `out` yet
  for (const char c : text) {
    const int six = base64_digit(c);
    if (six < 0 || c == '-' || c == '_') return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(six);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 0xFFU);
  }
  const bool rest = (bits & ((1U << count) - 1U)) != 0;  // bits that belong to no byte
  return rest ? std::nullopt : std::optional(std::move(out));
}

}  // namespace hebb
