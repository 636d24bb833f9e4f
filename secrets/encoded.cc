// Secrets in encoded text: escapes of addresses and HTML, base64.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "secrets/find.h"
#include "secrets/scan.h"
#include "text/ascii.h"
#include "text/base64.h"

namespace hebb::secrets {
namespace {

constexpr int kTimes = 3;                   // an escape may itself be escaped
constexpr std::size_t kEntityBytes = 8;     // longest entity
constexpr std::size_t kLeastBase64 = 16;    // characters
constexpr std::size_t kMostBase64 = 32768;  // characters that are decoded of one word
constexpr std::size_t kHeadBase64 = 16;     // enough to distinguish text from other bytes

// A character, and how many bytes its escape has; 0: there is none.
struct Unescaped {
  char c = 0;
  std::size_t length = 0;
};

Unescaped of_number(std::string_view digits, int base, std::size_t length) {
  unsigned code = 0;
  const char* const end = digits.data() + digits.size();
  const auto read = std::from_chars(digits.data(), end, code, base);
  const bool printable = read.ptr == end && !digits.empty() && code >= 0x20 && code < 0x7F;
  const bool line = read.ptr == end && (code == '\n' || code == '\r');
  if (!printable && !line) return {};
  return {static_cast<char>(code), length};
}

Unescaped unescaped_at(std::string_view text) {
  if (text.front() == '%')
    return text.size() < 3 ? Unescaped{} : of_number(text.substr(1, 2), 16, 3);
  const std::size_t end = text.substr(0, kEntityBytes).find(';');
  if (end == std::string_view::npos) return {};
  const std::string_view name = text.substr(1, end - 1);
  if (name.starts_with("#x") || name.starts_with("#X"))
    return of_number(name.substr(2), 16, end + 1);
  if (name.starts_with('#')) return of_number(name.substr(1), 10, end + 1);
  constexpr std::pair<std::string_view, char> kNames[] = {
      {"quot", '"'},   {"amp", '&'},   {"apos", '\''}, {"lt", '<'},    {"gt", '>'},
      {"equals", '='}, {"colon", ':'}, {"nbsp", ' '},  {"lowbar", '_'}};
  for (const auto& [known, c] : kNames) {
    if (name == known) return {c, end + 1};
  }
  return {};
}

// A text without escapes, and the position of each of its bytes in the text with escapes.
struct Plain {
  std::string text;
  std::vector<std::uint32_t> places;  // one more than bytes
};

std::optional<Plain> without_escapes(std::string_view text) {
  Plain plain;
  std::size_t done = 0;
  const auto copy = [&](std::size_t to) {
    plain.text += text.substr(done, to - done);
    for (; done < to; ++done) plain.places.push_back(static_cast<std::uint32_t>(done));
  };
  const bool escapes =
      text.find('%') != std::string_view::npos ||
      (text.find('&') != std::string_view::npos && text.find(';') != std::string_view::npos);
  for (std::size_t at = 0; escapes && at < text.size(); ++at) {
    if (text[at] != '%' && text[at] != '&') continue;
    const Unescaped found = unescaped_at(text.substr(at));
    if (found.length == 0) continue;
    copy(at);
    plain.text += found.c;
    plain.places.push_back(static_cast<std::uint32_t>(at));
    done = at + found.length;
    at = done - 1;
  }
  if (done == 0) return std::nullopt;
  copy(text.size());
  plain.places.push_back(static_cast<std::uint32_t>(text.size()));
  return plain;
}

bool is_text(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) {
    return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\r' || c == '\t';
  });
}

// The decoded base64, if it is text.
std::optional<std::string> text_of_base64(std::string_view word) {
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : word) {
    bits = bits << 6 | static_cast<std::uint32_t>(base64_digit(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 0xFF);
    if (out.size() == kHeadBase64 && !is_text(out)) return std::nullopt;
  }
  if (!is_text(out)) return std::nullopt;
  return out;
}

}  // namespace

void find_in_escaped(std::string_view text, std::vector<SecretSpan>& found) {
  std::optional<Plain> plain = without_escapes(text);
  for (int times = 1; plain && times <= kTimes; ++times) {
    for (const SecretSpan& span : find_in_plain(plain->text).spans) {
      found.push_back({plain->places[span.from], plain->places[span.to], span.sure});
    }
    std::optional<Plain> next = without_escapes(plain->text);
    if (next) {
      for (std::uint32_t& place : next->places) place = plain->places[place];
    }
    plain = std::move(next);
  }
}

void find_in_base64(std::string_view text, std::vector<SecretSpan>& found) {
  for (std::size_t at = 0; at + kLeastBase64 <= text.size();) {
    // Looks backwards from the least length of base64: most words are shorter.
    std::size_t other = at + kLeastBase64;
    while (other > at && base64_digit(text[other - 1]) >= 0) --other;
    if (other > at) {
      at = other;
      continue;
    }
    const auto end = std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at + kLeastBase64),
                                  text.end(), [](char c) { return base64_digit(c) < 0; });
    const std::size_t to = static_cast<std::size_t>(end - text.begin());
    if (to - at <= kMostBase64) {
      const auto decoded = text_of_base64(text.substr(at, to - at));
      if (decoded && !find_in_plain(*decoded).spans.empty()) found.push_back({at, to, false});
    }
    at = to;
  }
}

}  // namespace hebb::secrets
