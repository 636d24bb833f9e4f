// Payloads from JSON that people wrote.
#pragma once

#include <string_view>

#include "engine/ledger/event.h"
#include "engine/values/json.h"

namespace hebb::input {

// A payload of the kind, from a line of a history log as people write it: with the checks of each
// field, and without what is the engine's own. Where null takes back what was said of a node, it is
// not absent. Implemented with decode_payload(). Precondition: is_event_kind(kind).
Payload read_payload(std::string_view kind, JsonReader& reader, Object line);

}  // namespace hebb::input
