#include "capture/actions/payload.h"

#include <algorithm>

#include <fmt/format.h>

namespace hebb::capture {
namespace {

// Length of the valid UTF-8 sequence at `i`; 0 if there is none.
std::size_t sequence_length(std::string_view text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[i + k]); };
  const auto follows = [&](std::size_t k) {
    return i + k < text.size() && (byte(k) & 0xC0) == 0x80;
  };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) {
    if (!follows(1) || !follows(2)) return 0;
    if ((lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xED && byte(1) > 0x9F)) return 0;
    return 3;
  }
  if (lead >= 0xF0 && lead <= 0xF4) {
    if (!follows(1) || !follows(2) || !follows(3)) return 0;
    if ((lead == 0xF0 && byte(1) < 0x90) || (lead == 0xF4 && byte(1) > 0x8F)) return 0;
    return 4;
  }
  return 0;
}

// At most `limit`, without cutting a character in two.
std::size_t cut_at(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text.size();
  while (limit > 0 && (static_cast<unsigned char>(text[limit]) & 0xC0) == 0x80) --limit;
  return limit;
}

// Removes the last word, which may have been cut and then could be part of a secret.
std::string_view without_last_word(std::string_view text) {
  constexpr std::size_t kWordBytes = 8192;
  const std::size_t from = text.size() - std::min(text.size(), kWordBytes);
  const std::size_t end = text.find_last_of(" ,;:\"'{}[]()<>\\");
  return text.substr(0, end == std::string_view::npos || end < from ? from : end + 1);
}

}  // namespace

std::string escape_invalid_utf8(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (std::size_t i = 0; i < json.size();) {
    const std::size_t length = sequence_length(json, i);
    if (length == 0) {
      out += fmt::format("\\\\x{:02x}", static_cast<unsigned char>(json[i]));
      ++i;
    } else {
      out += json.substr(i, length);
      i += length;
    }
  }
  return out;
}

Payload stored_payload(std::string_view raw, std::size_t length, const Mask& mask,
                       std::size_t limit) {
  const bool whole = raw.size() == length;
  if (!whole) raw = without_last_word(raw);
  const std::string masked = mask(escape_invalid_utf8(raw), !whole);
  Payload payload;
  payload.text = masked.substr(0, cut_at(masked, limit));
  payload.bytes = whole ? masked.size() : std::max(length, payload.text.size() + 1);
  return payload;
}

Payload masked_again(std::string_view text, std::size_t bytes, const Mask& mask) {
  const bool cut = bytes > text.size();
  const std::string masked = mask(text, cut);
  Payload payload;
  payload.text = masked.substr(0, cut_at(masked, kPayloadBytes));
  payload.bytes = cut ? std::max(bytes, payload.text.size() + 1) : masked.size();
  return payload;
}

}  // namespace hebb::capture
