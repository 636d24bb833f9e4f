// The checks of single values, for the table of an event's fields (engine/ledger/event_fields.h)
// and for readers whose fields have other names. `field` is the name in the refusal; nullopt: the
// value can be taken.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "engine/values/limits.h"
#include "engine/values/refusals.h"

namespace hebb {

bool is_utf8(std::string_view text);
// The beginning of UTF-8 in so many bytes at most, without a part of a character at its end.
std::string_view cut(std::string_view text, std::size_t bytes);
inline constexpr std::size_t kShownBytes = 64;  // of a text in a message

std::optional<Refusal> check_name(std::string_view id_or_type, std::string_view field);
std::optional<Refusal> check_utf8(std::string_view id, std::string_view field);  // only mentioned
// A refusal names the field and the place in the list: "relatedNodes[0]".
std::optional<Refusal> check_related(std::span<const std::string> ids, std::string_view field);
std::optional<Refusal> check_text(std::string_view text, std::string_view field);
std::optional<Refusal> check_size(std::string_view properties, std::string_view field);
std::optional<Refusal> check_canonical(std::string_view json, std::string_view field);
std::optional<Refusal> check_vector(std::span<const float> vector, std::string_view field);
std::optional<Refusal> check_time(TimeMs at, std::string_view field);
std::optional<Refusal> check_priority(std::int64_t priority, std::string_view field);
// The priority that a text says: 0 to 4, P0 to P4, or a word such as "high", in capitals or not;
// nullopt: it says none. Agrees with the labels that a policy has at first.
std::optional<int> parse_priority(std::string_view text);
// All that parse_priority() takes, for messages.
std::string priorities_taken();
std::optional<Refusal> check_token(std::int64_t token, std::string_view field);
std::optional<Refusal> check_position(std::int64_t position, std::string_view field);
std::optional<Refusal> check_weight(double weight, std::string_view field);  // above 0, finite
std::optional<Refusal> check_score(double score, std::string_view field);    // above 0, at most 1
// The object as canonical JSON, as an event's properties must be.
std::variant<std::string, Refusal> canonical_properties(std::string_view json,
                                                        std::string_view field);

}  // namespace hebb
