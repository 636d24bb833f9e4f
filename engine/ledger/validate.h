// The checks that every event passes before it is appended, wherever it comes from. An event that
// passes can be stored, decoded and folded. Looks at the event alone; resolve.h looks at the graph.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "engine/input/input.h"
#include "engine/ledger/event.h"

namespace hebb {

// Why an event cannot be taken; nullopt: it can. Names that an event brings (a node's id, a type, a
// state) must pass check_name(); ids that it only mentions must be UTF-8, and resolve() checks that
// their nodes exist. resolve() also checks the settings of a policy. O(size of e).
std::optional<Refusal> validate(const Event& e);

bool is_utf8(std::string_view text);

// The single checks, for the table of fields (event_fields.h) and for readers whose fields have
// other names. `field` is the name in the refusal.
std::optional<Refusal> check_name(std::string_view id_or_type, std::string_view field);
std::optional<Refusal> check_utf8(std::string_view id, std::string_view field);  // only mentioned
std::optional<Refusal> check_text(std::string_view text, std::string_view field);
std::optional<Refusal> check_size(std::string_view properties, std::string_view field);
std::optional<Refusal> check_canonical(std::string_view json, std::string_view field);
std::optional<Refusal> check_properties(std::string_view json, std::string_view field);  // both
std::optional<Refusal> check_vector(std::span<const float> vector, std::string_view field);
std::optional<Refusal> check_time(TimeMs at, std::string_view field);
std::optional<Refusal> check_priority(std::int64_t priority, std::string_view field);
std::optional<Refusal> check_token(std::int64_t token, std::string_view field);
std::optional<Refusal> check_position(std::int64_t position, std::string_view field);
std::optional<Refusal> check_weight(double weight, std::string_view field);  // above 0, finite
std::optional<Refusal> check_score(double score, std::string_view field);    // above 0, at most 1
// The object as canonical JSON, as an event's properties must be.
std::variant<std::string, Refusal> canonical_properties(std::string_view json,
                                                        std::string_view field);

}  // namespace hebb
