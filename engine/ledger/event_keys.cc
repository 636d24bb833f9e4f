// The keys of events.
#include <cassert>

#include <fmt/format.h>

#include "engine/ledger/event_fields.h"

namespace hebb {

namespace {

constexpr std::size_t kTimeDigits = 12;  // of a time until the year 10889
constexpr std::size_t kHashDigits = 32;  // of content_hash()

}  // namespace

std::string_view kind_name(const Payload& payload) { return kEventKinds[payload.index()].name; }

std::string event_key(const Payload& payload, std::string_view rest) {
  std::string key;
  key.reserve(rest.size() + 2);
  key += kEventKinds[payload.index()].digit;
  key += ':';
  key += rest;
  return key;
}

std::string timed_key(const Payload& payload, TimeMs at, std::string_view hash) {
  assert(at >= 0 && hash.size() == kHashDigits);
  return event_key(payload, fmt::format("{:0{}x}{}", at, kTimeDigits, hash));
}

std::optional<std::string> key_of_0_1(std::string_view key) {
  constexpr std::size_t kPrefix = 2;  // the digit and the colon
  const bool timed = key.size() == kPrefix + kTimeDigits + kHashDigits &&
                     key.find_first_not_of("0123456789abcdef", kPrefix) == std::string_view::npos;
  if (!timed) return std::nullopt;
  std::string old(key.substr(0, kPrefix));
  return old.append(key.substr(kPrefix + kTimeDigits));
}

std::string recalibration_key(TimeMs at) {
  return event_key(Recalibration{}, fmt::format("{}{}", kRecalibrateKey, at));
}

}  // namespace hebb
