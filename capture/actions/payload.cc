#include "capture/actions/payload.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/values/checks.h"
#include "text/utf8.h"

namespace hebb::capture {
namespace {

// Removes the last word, which may have been cut and then could be part of a secret.
std::string_view without_last_word(std::string_view text) {
  constexpr std::size_t kWordBytes = 8192;
  const std::size_t from = text.size() - std::min(text.size(), kWordBytes);
  const std::size_t end = text.find_last_of(" ,;:\"'{}[]()<>\\");
  return text.substr(0, end == std::string_view::npos || end < from ? from : end + 1);
}

}  // namespace

std::string escape_invalid_utf8(std::string_view json) {
  if (is_utf8(json)) return std::string(json);
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    const Utf8Character next = first_character(json);
    if (next.is_valid) {
      out += json.substr(0, next.bytes);
    } else {
      out += fmt::format("\\\\x{:02x}", static_cast<unsigned char>(json.front()));
    }
    json.remove_prefix(next.bytes);
  }
  return out;
}

Payload stored_payload(std::string_view raw, std::size_t length, const Mask& mask,
                       std::size_t limit) {
  const bool whole = raw.size() == length;
  if (!whole) raw = without_last_word(raw);
  const std::string masked = mask(escape_invalid_utf8(raw), !whole);
  Payload payload;
  payload.text = cut(masked, limit);
  payload.bytes = whole ? masked.size() : std::max(length, payload.text.size() + 1);
  return payload;
}

Payload masked_again(std::string_view text, std::size_t bytes, const Mask& mask) {
  const bool cut = bytes > text.size();
  const std::string masked = mask(text, cut);
  Payload payload;
  payload.text = hebb::cut(masked, kPayloadBytes);
  payload.bytes = cut ? std::max(bytes, payload.text.size() + 1) : masked.size();
  return payload;
}

}  // namespace hebb::capture
