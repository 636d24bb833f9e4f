#include "engine/values/checks.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "engine/values/json.h"
#include "text/ascii.h"
#include "text/utf8.h"

namespace hebb {

namespace {

template <class... Values>
std::optional<Refusal> refused(std::string_view reason, fmt::format_string<Values...> text,
                               Values&&... values) {
  return Refusal{std::string(reason), fmt::format(text, std::forward<Values>(values)...)};
}

// nullopt if it holds.
template <class... Values>
std::optional<Refusal> unless(bool holds, std::string_view reason,
                              fmt::format_string<Values...> text, Values&&... values) {
  if (holds) return std::nullopt;
  return refused(reason, text, std::forward<Values>(values)...);
}

bool is_control(std::string_view text, std::size_t i) {
  const auto byte = static_cast<unsigned char>(text[i]);
  if (byte < 0x20 || byte == 0x7f) return true;
  if (byte != 0xc2 || i + 1 == text.size()) return false;
  return static_cast<unsigned char>(text[i + 1]) < 0xa0;  // U+0080 to U+009F
}

}  // namespace

bool is_utf8(std::string_view text) { return simdjson::validate_utf8(text.data(), text.size()); }

std::string_view cut(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && is_continuation(text[bytes])) --bytes;
  return text.substr(0, bytes);
}

std::optional<Refusal> check_name(std::string_view text, std::string_view field) {
  if (text.empty()) return refused(refusal::kBadId, "{}: must not be empty", field);
  if (text.size() > Limits::kIdBytes) {
    return refused(refusal::kIdTooLong, "{}: has {} bytes; at most {} are allowed", field,
                   text.size(), Limits::kIdBytes);
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_control(text, i))
      return refused(refusal::kBadId, "{}: has a control character at byte {}", field, i);
  }
  return check_utf8(text, field);
}

std::optional<Refusal> check_utf8(std::string_view text, std::string_view field) {
  return unless(is_utf8(text), refusal::kNotUtf8, "{}: is not valid UTF-8", field);
}

std::optional<Refusal> check_related(std::span<const std::string> ids, std::string_view field) {
  if (ids.size() > Limits::kRelatedNodes) {
    return refused(refusal::kTooManyRelated, "{}: at most {} ids are allowed", field,
                   Limits::kRelatedNodes);
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (auto refusal = check_name(ids[i], fmt::format("{}[{}]", field, i))) return refusal;
  }
  return std::nullopt;
}

std::optional<Refusal> check_text(std::string_view text, std::string_view field) {
  if (text.size() <= Limits::kLineBytes) return check_utf8(text, field);
  return refused(refusal::kTooLong, "{}: has {} bytes; at most {} are allowed", field, text.size(),
                 Limits::kLineBytes);
}

// So that decoding gives back the same bytes.
std::optional<Refusal> check_canonical(std::string_view json, std::string_view field) {
  static thread_local input::JsonReader reader;
  try {
    return unless(reader.canonical(reader.parse_object(json)) == json, refusal::kBadValue,
                  "{}: is no canonical JSON; canonical_properties() writes it so", field);
  } catch (const input::ItemRefused& thrown) {
    return refused(thrown.refusal.reason, "{}: {}", field, thrown.refusal.detail);
  }
}

std::optional<Refusal> check_size(std::string_view properties, std::string_view field) {
  return unless(properties.size() <= Limits::kPropertiesBytes, refusal::kPropertiesTooLarge,
                "{}: {} bytes of canonical JSON; at most {} are allowed", field, properties.size(),
                Limits::kPropertiesBytes);
}

std::optional<Refusal> check_vector(std::span<const float> vector, std::string_view field) {
  if (vector.empty()) {
    return refused(refusal::kOutOfRange, "{}: is empty; 1 to {} numbers are allowed", field,
                   Limits::kVectorDimension);
  }
  if (vector.size() > Limits::kVectorDimension) {
    return refused(refusal::kVectorTooLong, "{}: at most {} numbers are allowed", field,
                   Limits::kVectorDimension);
  }
  const auto infinite =
      std::find_if_not(vector.begin(), vector.end(), [](float x) { return std::isfinite(x); });
  return unless(infinite == vector.end(), refusal::kNotFinite,
                "{}[{}]: is not a finite 32-bit float", field, infinite - vector.begin());
}

std::optional<Refusal> check_time(TimeMs at, std::string_view field) {
  return unless(at >= 0 && at <= Limits::kLatestTime, refusal::kBadTime,
                "{}: is {}; allowed are milliseconds since 1970 up to {}, the end of the year 9999",
                field, at, Limits::kLatestTime);
}

std::optional<Refusal> check_priority(std::int64_t priority, std::string_view field) {
  return unless(priority >= 0 && priority <= kLastPriority, refusal::kOutOfRange,
                "{}: is {}; allowed are {}", field, priority, priorities_taken());
}

namespace {

// A row for each priority, the most urgent first.
constexpr std::array<std::array<std::string_view, 2>, kLastPriority + 1> kPriorityWords{
    {{"critical", "urgent"}, {"high"}, {"medium", "normal"}, {"low"}, {}}};

}  // namespace

std::optional<int> parse_priority(std::string_view text) {
  std::string_view digit = text;
  if (digit.starts_with('P') || digit.starts_with('p')) digit.remove_prefix(1);
  for (std::size_t i = 0; i < kPriorityWords.size(); ++i) {
    const bool is_word = std::ranges::any_of(kPriorityWords[i], [&](std::string_view word) {
      return !word.empty() && same_name(word, text);
    });
    if (is_word || digit == std::to_string(i)) return static_cast<int>(i);
  }
  return std::nullopt;
}

std::string priorities_taken() {
  std::string words;
  for (std::size_t i = 0; i < kPriorityWords.size(); ++i) {
    for (const std::string_view word : kPriorityWords[i])
      if (!word.empty()) words += fmt::format(", {} ({})", word, i);
  }
  return fmt::format("0 (most urgent) to {0}, P0 to P{0}{1}", kLastPriority, words);
}

std::optional<Refusal> check_token(std::int64_t token, std::string_view field) {
  return unless(token > 0, refusal::kOutOfRange, "{}: is {}; it has to be at least 1", field,
                token);
}

std::optional<Refusal> check_position(std::int64_t position, std::string_view field) {
  return unless(position > 0, refusal::kOutOfRange, "{}: is {}; positions begin with 1", field,
                position);
}

std::optional<Refusal> check_weight(double weight, std::string_view field) {
  return unless(weight > 0 && std::isfinite(weight), refusal::kOutOfRange,
                "{}: is {}; must be more than 0 and finite", field, weight);
}

std::optional<Refusal> check_score(double score, std::string_view field) {
  return unless(score > 0 && score <= 1, refusal::kScoreOutOfRange,
                "{}: is {}; allowed is more than 0, at most 1", field, score);
}

std::variant<std::string, Refusal> canonical_properties(std::string_view json,
                                                        std::string_view field) {
  try {
    input::JsonReader reader;
    return input::as_properties(reader, reader.parse(json), field);
  } catch (input::ItemRefused& refused) {
    return std::move(refused.refusal);
  }
}

}  // namespace hebb
