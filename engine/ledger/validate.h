// What an event has to be, whoever brings it: the door of the ledger. Behind it everything can be
// stored, decoded and folded. Looks at the event alone; what depends on the graph is in resolve.h.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "engine/input/input.h"
#include "engine/ledger/event.h"

namespace hebb {

// Why an event cannot be taken, if so. Names that an event brings (a node's id, a type, a state)
// have to be names, see check_name; ids that it only mentions have to be UTF-8, and resolve() asks
// for their nodes. The settings of a policy are checked where they are resolved. O(size of e).
std::optional<Refusal> validate(const Event& e);

bool is_utf8(std::string_view text);

// The rules one by one, for readers that know a field by another name. `field` is named in the
// refusal.
std::optional<Refusal> check_name(std::string_view id_or_type, std::string_view field);
std::optional<Refusal> check_vector(std::span<const float> vector, std::string_view field);
std::optional<Refusal> check_time(TimeMs at, std::string_view field);
std::optional<Refusal> check_weight(double weight, std::string_view field);  // above 0, finite
std::optional<Refusal> check_score(double score, std::string_view field);    // above 0, at most 1
// The text that an event's properties have to be: the same object as canonical JSON.
std::variant<std::string, Refusal> canonical_properties(std::string_view json,
                                                        std::string_view field);

}  // namespace hebb
