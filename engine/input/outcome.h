// One outcome object: shared by every format that carries outcomes. Internal to the readers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/input/input.h"
#include "engine/values/json.h"

namespace hebb::input {

// What the line or envelope around the object says, for fields that the object leaves out.
struct OutcomeDefaults {
  TimeMs now = 0;  // an outcome without any time; it then always counts unless it has an id
  std::optional<TimeMs> time;  // of the line or envelope
};

Event parse_outcome(JsonReader& reader, Object object, const OutcomeDefaults& defaults);

}  // namespace hebb::input
