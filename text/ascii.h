// Characters and words of ASCII, whatever the locale.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

namespace hebb {

constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_letter(char c) { return is_lower(c) || is_upper(c); }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
constexpr bool is_alnum(char c) { return is_letter(c) || is_digit(c); }
constexpr bool is_word_char(char c) { return is_alnum(c) || c == '_'; }
constexpr bool is_quote(char c) { return c == '"' || c == '\'' || c == '`'; }
constexpr char to_lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

inline constexpr std::string_view kBlanks = " \t\r\n";
constexpr bool is_blank(char c) { return kBlanks.find(c) != kBlanks.npos; }
// Nothing but spaces, tabs and ends of lines.
constexpr bool is_blank(std::string_view text) {
  return text.find_first_not_of(kBlanks) == text.npos;
}

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

constexpr std::string_view trim(std::string_view text, std::string_view blanks = kBlanks) {
  const auto begin = text.find_first_not_of(blanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

// Capital letters make no difference; as SQLite's NOCASE has it.
inline bool same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return to_lower(x) == to_lower(y); });
}

// Whether `text` starts with `lower`, ignoring case. `lower` must be in lower case.
inline bool starts_with_ignoring_case(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() && same_name(text.substr(0, lower.size()), lower);
}

inline bool has_digit(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_digit);
}

inline bool among(std::span<const std::string_view> list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace hebb
