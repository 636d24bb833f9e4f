#include "capture/actions/payload.h"

#include <algorithm>
#include <iterator>
#include <utility>

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

// At most `limit` bytes of masked JSON. is_cut: it is the beginning of a JSON of `length` bytes.
Payload bounded(std::string_view masked, bool is_cut, std::int64_t length, std::size_t limit) {
  Payload payload{std::string(cut(masked, limit)), std::ssize(masked)};
  if (is_cut) payload.bytes = std::max(length, std::ssize(payload.text) + 1);
  return payload;
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
  const bool is_cut = raw.size() < length;
  if (is_cut) raw = without_last_word(raw);
  const std::string masked = mask(escape_invalid_utf8(raw), is_cut);
  return bounded(masked, is_cut, static_cast<std::int64_t>(length), limit);
}

bool mask_payload_again(std::string& text, std::int64_t& bytes, const Mask& mask) {
  const bool is_cut = bytes > std::ssize(text);
  Payload masked = bounded(mask(text, is_cut), is_cut, bytes, kPayloadBytes);
  if (masked.text == text) return false;
  text = std::move(masked.text);
  bytes = masked.bytes;
  return true;
}

}  // namespace hebb::capture
