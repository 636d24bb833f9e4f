// Whether two events with the same key say the same.
#pragma once

#include <optional>

#include "engine/ledger/event.h"
#include "engine/values/refusals.h"

namespace hebb {

// Compares `came` with `there`, the event in the ledger that has its key. nullopt: they say the
// same; else the refusal. Fields that were looked up on arrival are not compared, and times only if
// `came` had one.
std::optional<Refusal> conflict(const Event& there, const Event& came);

}  // namespace hebb
