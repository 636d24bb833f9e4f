// Payloads from JSON that people wrote.
#pragma once

#include <string_view>

#include "engine/ledger/event.h"
#include "engine/values/json.h"

namespace hebb::input {

// A payload of the kind, from a line of a history log as people write it: with the checks of each
// field, and without the engine's own fields. A null that takes back a field of a node is not
// absent. Implemented with decode_payload(). Precondition: is_event_kind(kind).
Payload read_payload(std::string_view kind, JsonReader& reader, Object line);
// The outcome that a text names. Throws as other readers of fields do, with bad_outcome.
OutcomeKind as_outcome(Element value, std::string_view path);

}  // namespace hebb::input
