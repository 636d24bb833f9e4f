#include "engine/values/canonical_json.h"

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <new>

#include <fmt/format.h>
#include <xxhash.h>

namespace hebb {

namespace {

constexpr double kInt64End = 9223372036854775808.0;    // 2^63
constexpr double kUint64End = 18446744073709551616.0;  // 2^64

void append_escape(std::string& out, char c) {
  constexpr std::string_view kNamed = "\"\\\b\f\n\r\t", kNames = "\"\\bfnrt";
  const std::size_t named = kNamed.find(c);
  if (named == kNamed.npos) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned char>(c));
  } else {
    (out += '\\') += kNames[named];
  }
}

}  // namespace

void append_json_string(std::string& out, std::string_view text) {
  out += '"';
  std::size_t plain = 0;  // start of the text that needs no escape
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

std::string json_text(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string json_number(double value) {
  std::string out;
  append_json_number(out, value);
  return out;
}

namespace {

std::string hex_of(XXH128_hash_t hash) {
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace

std::string content_hash(std::string_view bytes) {
  return hex_of(XXH3_128bits(bytes.data(), bytes.size()));
}

void ContentHash::Free::operator()(XXH3_state_s* state) const { XXH3_freeState(state); }

ContentHash::ContentHash() : state_(XXH3_createState()) {
  if (!state_) throw std::bad_alloc();
  XXH3_128bits_reset(state_.get());
}

void ContentHash::add(std::string_view bytes) {
  XXH3_128bits_update(state_.get(), bytes.data(), bytes.size());
}

std::string ContentHash::hex() const { return hex_of(XXH3_128bits_digest(state_.get())); }

}  // namespace hebb
