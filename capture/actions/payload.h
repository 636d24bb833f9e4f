// What of a call's arguments and result is stored: valid UTF-8, without secrets, at most 64 KiB.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace hebb::capture {

inline constexpr std::size_t kPayloadBytes = 64 << 10;
inline constexpr std::string_view kMasked = "[masked]";

struct Payload {
  std::string text;       // JSON; no longer valid JSON where it was cut
  std::size_t bytes = 0;  // of the whole; larger than text.size() where it was cut
};

// Masks JSON; `cut`: it goes on where it ends.
using Mask = std::function<std::string(std::string_view json, bool cut)>;

// `raw` is JSON or the beginning of one that has `length` bytes. It is cut after it was masked, and
// not within a word that a cut of `raw` has left without its end.
Payload stored_payload(std::string_view raw, std::size_t length, const Mask& mask,
                       std::size_t limit = kPayloadBytes);

// What was stored as `text` of `bytes`, masked once more.
Payload masked_again(std::string_view text, std::size_t bytes, const Mask& mask);

// Bytes that are no UTF-8 as \xNN (in a JSON string: a backslash, escaped, and three characters).
std::string escape_invalid_utf8(std::string_view json);

}  // namespace hebb::capture
