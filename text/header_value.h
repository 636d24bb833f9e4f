// Any text as the value of an HTTP header, as MCP's specification of 2026-07-28 encodes it:
// unchanged if possible, else =?base64?…?=.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "text/base64.h"

namespace hebb {

inline constexpr std::string_view kHeaderBase64Begin = "=?base64?", kHeaderBase64End = "?=";

inline bool is_encoded_header_value(std::string_view value) {
  return value.starts_with(kHeaderBase64Begin) && value.ends_with(kHeaderBase64End);
}

inline std::string header_value(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  const bool plain = std::all_of(text.begin(), text.end(),
                                 [](char c) { return c == '\t' || (c >= 0x20 && c < 0x7f); });
  const bool padded = !text.empty() && (is_space(text.front()) || is_space(text.back()));
  if (plain && !padded && !is_encoded_header_value(text)) return std::string(text);
  return std::string(kHeaderBase64Begin).append(base64_encoded(text)).append(kHeaderBase64End);
}

// The text for which a header's value stands; nullopt: it is marked as base64, and is none.
inline std::optional<std::string> header_text(std::string_view value) {
  const bool has_room = value.size() >= kHeaderBase64Begin.size() + kHeaderBase64End.size();
  if (!has_room || !is_encoded_header_value(value)) return std::string(value);
  value.remove_prefix(kHeaderBase64Begin.size());
  value.remove_suffix(kHeaderBase64End.size());
  return base64_decoded(value);
}

}  // namespace hebb
