#include "serve/base64.h"

#include <cstdint>

namespace hebb::serve {

namespace {

// The six bits of a character; -1: it is none of base64.
int six_bits(char c) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const auto at = kDigits.find(c);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

}  // namespace

std::optional<std::string> base64_decoded(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  text.remove_suffix(padding);
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;  // of the bits that are not in `out` yet
  for (const char c : text) {
    const int six = six_bits(c);
    if (six < 0) return std::nullopt;
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
