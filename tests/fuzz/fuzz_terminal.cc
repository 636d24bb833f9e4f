// Text that others wrote, as it reaches a terminal: nothing that visible_text() lets through is a
// command to one. Checked with a decoder of its own, by the rules of ECMA-48 and UTF-8.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "api/visible_text.h"

namespace {

void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

// The character at the front, taken off; -1 for a byte that begins none. The shortest form alone.
std::int32_t take(std::string_view& text) {
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  const std::uint32_t first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  std::uint32_t c = length == 1 ? first : first & (0x7FU >> length);
  bool good = first < 0x80 || (first >= 0xC2 && first <= 0xF4);
  for (std::size_t i = 1; good && i < length; ++i) {
    good = (byte(i) & 0xC0) == 0x80;
    c = c << 6 | (byte(i) & 0x3F);
  }
  constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  good = good && c >= kLeast[length] && c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF);
  text.remove_prefix(good ? length : 1);
  return good ? static_cast<std::int32_t>(c) : -1;
}

bool is_command(std::int32_t c) {
  return (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0);
}

bool turns_or_hides(std::int32_t c) {
  return (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || c == 0x061C || c == 0xFEFF;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::string shown = hebb::visible_text(text);
  for (std::string_view rest = shown; !rest.empty();) {
    const std::int32_t c = take(rest);
    require(c >= 0, "what is shown is UTF-8");
    require(!is_command(c), "nothing that is shown commands the terminal");
    require(!turns_or_hides(c), "nothing that is shown hides, or turns the direction of writing");
  }
  require(hebb::visible_text(shown) == shown, "what is visible stays as it is");
  const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\t';
  });
  require(!plain || shown == text, "plain text is shown as it is");
  return 0;
}
