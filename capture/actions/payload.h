// Prepares a call's arguments and result for storing: valid UTF-8, without secrets, at most 64 KiB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "secrets/mask.h"

namespace hebb::capture {

inline constexpr std::size_t kPayloadBytes = 64 << 10;
using secrets::kMasked;

struct Payload {
  std::string text;        // JSON; not valid JSON if it was cut
  std::int64_t bytes = 0;  // length of the whole payload; larger than text.size() if it was cut
};

// Masks JSON; `cut`: the JSON is only the beginning of a longer one.
using Mask = std::function<std::string(std::string_view json, bool cut)>;

// `raw` is JSON, or the beginning of JSON with `length` bytes. It is first masked, then cut. If
// `raw` is only a beginning, its last word is left out, because it may be part of a secret.
Payload stored_payload(std::string_view raw, std::size_t length, const Mask& mask,
                       std::size_t limit = kPayloadBytes);

// Masks a stored payload (`text`, `bytes`) once more. Returns whether that changed it.
bool mask_payload_again(std::string& text, std::int64_t& bytes, const Mask& mask);

// Writes bytes that are not UTF-8 as \xNN (in a JSON string: an escaped backslash and xNN).
std::string escape_invalid_utf8(std::string_view json);

}  // namespace hebb::capture
