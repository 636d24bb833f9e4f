#include "serve/decode.h"

#include <charconv>
#include <cstdint>

#include "api/common.h"

namespace hebb::serve {

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  while (true) {
    const auto end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::optional<std::string> percent_decoded(std::string_view text, bool plus_is_blank) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i] == '+' && plus_is_blank ? ' ' : text[i];
      continue;
    }
    const std::string_view digits = text.substr(i + 1, 2);
    unsigned char byte = 0;
    const auto [end, error] = std::from_chars(digits.begin(), digits.end(), byte, 16);
    if (digits.size() != 2 || error != std::errc() || end != digits.end()) return std::nullopt;
    out += static_cast<char>(byte);
    i += 2;
  }
  if (out.find('\0') != std::string::npos) return std::nullopt;
  try {
    api::require_text(out, "text");
  } catch (const api::Problem&) {
    return std::nullopt;
  }
  return out;
}

std::optional<std::string> base64_decoded(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  if (text.size() % 4 != 0) return std::nullopt;
  text.remove_suffix(text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0);
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;  // of the bits that are not in `out` yet
  for (const char c : text) {
    const auto six = kDigits.find(c);
    if (six == std::string_view::npos) return std::nullopt;
    bits = (bits << 6) | static_cast<std::uint32_t>(six);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>((bits >> count) & 0xFFU);
  }
  const bool rest = (bits & ((1U << count) - 1U)) != 0;  // bits that belong to no byte
  return rest ? std::nullopt : std::optional(out);
}

}  // namespace hebb::serve
