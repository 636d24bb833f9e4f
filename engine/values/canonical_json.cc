#include "engine/values/canonical_json.h"

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <new>

#include <xxhash.h>

namespace hebb {

namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

constexpr double kInt64End = 9223372036854775808.0;    // 2^63
constexpr double kUint64End = 18446744073709551616.0;  // 2^64

void append_escape(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  const auto byte = static_cast<unsigned char>(c);
  out += "\\u00";
  out += kHexDigits[byte >> 4];
  out += kHexDigits[byte & 15];
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t plain = 0;  // start of what needs no escape
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
    out.append(text, plain, i - plain);
    append_escape(out, text[i]);
    plain = i + 1;
  }
  out.append(text, plain, text.size() - plain);
  out += '"';
}

void append_json_number(std::string& out, double value) {
  assert(std::isfinite(value));
  std::array<char, 32> buffer;
  const auto print = [&](auto... number) {
    return std::to_chars(buffer.begin(), buffer.end(), number...);
  };
  // A whole number within 64 bits is written as an integer, so that 1, 1.0 and 1e0 have one text;
  // beyond 64 bits it is written with an exponent, so that readers take it for a double.
  std::to_chars_result end;
  if (value != std::trunc(value)) {
    end = print(value);
  } else if (value >= -kInt64End && value < kInt64End) {
    end = print(static_cast<std::int64_t>(value));
  } else if (value > 0 && value < kUint64End) {
    end = print(static_cast<std::uint64_t>(value));
  } else {
    end = print(value, std::chars_format::scientific);
  }
  out.append(buffer.begin(), end.ptr);
}

namespace {

std::string hex_of(XXH128_hash_t hash) {
  std::string hex(32, '0');
  for (std::size_t i = 0; i < 16; ++i) {
    hex[15 - i] = kHexDigits[(hash.high64 >> (4 * i)) & 15];
    hex[31 - i] = kHexDigits[(hash.low64 >> (4 * i)) & 15];
  }
  return hex;
}

}  // namespace

std::string content_hash(std::string_view bytes) {
  return hex_of(XXH3_128bits(bytes.data(), bytes.size()));
}

struct ContentHash::State {
  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> xxh{XXH3_createState()};
};

ContentHash::ContentHash() : state_(std::make_unique<State>()) {
  if (!state_->xxh) throw std::bad_alloc();
  XXH3_128bits_reset(state_->xxh.get());
}
ContentHash::~ContentHash() = default;
ContentHash::ContentHash(ContentHash&&) noexcept = default;

void ContentHash::add(std::string_view bytes) {
  XXH3_128bits_update(state_->xxh.get(), bytes.data(), bytes.size());
}

std::string ContentHash::hex() const { return hex_of(XXH3_128bits_digest(state_->xxh.get())); }

}  // namespace hebb
