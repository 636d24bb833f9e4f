// The checks that every event passes before it is appended, wherever it comes from. An event that
// passes can be stored, decoded and folded. Looks at the event alone; resolve.h looks at the graph.
#pragma once

#include <optional>
#include <string_view>

#include "engine/ledger/event.h"
#include "engine/values/checks.h"

namespace hebb {

// Why an event cannot be taken; nullopt: it can. Names that an event brings (a node's id, a type, a
// state) must pass check_name(); ids that it only mentions must be UTF-8, and resolve() checks that
// their nodes exist. resolve() also checks the settings of a policy. O(size of e).
std::optional<Refusal> validate(const Event& e);

}  // namespace hebb
