// Characters and words of ASCII, whatever the locale.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

namespace hebb::secrets {

constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_letter(char c) { return is_lower(c) || is_upper(c); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_alnum(char c) { return is_letter(c) || is_digit(c); }
constexpr bool is_word_char(char c) { return is_alnum(c) || c == '_'; }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
constexpr bool is_quote(char c) { return c == '"' || c == '\'' || c == '`'; }
constexpr char to_lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

// A set of characters with a constant-time lookup.
using Characters = std::array<bool, 256>;
constexpr Characters characters(std::string_view text) {
  Characters all{};
  for (const char c : text) all[static_cast<unsigned char>(c)] = true;
  return all;
}

inline std::string to_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = to_lower(c);
  return lower;
}

// Whether `text` starts with `lower`, ignoring case. `lower` must be in lower case.
inline bool starts_with_ignoring_case(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(),
                    [](char want, char c) { return want == to_lower(c); });
}

inline bool has_digit(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_digit);
}

inline bool among(std::span<const std::string_view> list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace hebb::secrets
