// A line of a history log, for readers that write such lines. Internal to the readers.
#pragma once

#include <string_view>

#include "engine/input/input.h"
#include "engine/values/json.h"

namespace hebb::input {

// of_ledger: as in ReadOptions.
Event parse_history(JsonReader& reader, std::string_view text, bool of_ledger = false);

}  // namespace hebb::input
