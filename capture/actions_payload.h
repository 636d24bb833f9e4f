// What of a call's arguments and result is stored: valid UTF-8, without secrets, at most 64 KiB.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace hebb::capture {

inline constexpr std::size_t kPayloadBytes = 64 << 10;
inline constexpr std::string_view kMasked = "[masked]";

struct Payload {
  std::string text;       // JSON; no longer valid JSON where it was cut
  std::size_t bytes = 0;  // of the whole; larger than text.size() where it was cut
};

// `raw` is JSON or the beginning of one that has `length` bytes.
Payload stored_payload(std::string_view raw, std::size_t length, std::size_t limit = kPayloadBytes);

// The same JSON with the values under secret keys, and strings that carry HTTP credentials,
// replaced by kMasked; also in strings that hold JSON themselves. The rest stays byte for byte.
// Takes text that is cut anywhere: what might be a secret's beginning is masked. O(length).
//
// Secret is the value under password, token, secret, api_key, authorization, cookie, …, in any
// spelling (apiKey, X-Api-Key). Counts of tokens (max_tokens, tokenCount) are not secrets.
std::string mask_secrets(std::string_view json);

// Bytes that are no UTF-8 as \xNN (in a JSON string: a backslash, escaped, and three characters).
std::string escape_invalid_utf8(std::string_view json);

}  // namespace hebb::capture
