// Values in the object that an outcome came with.
#pragma once

#include <optional>

#include "engine/ledger/event.h"

namespace hebb {

// Its metrics.executionTimeMs: how long the attempt took, in ms; nullopt: it says none. Any number:
// a ledger may hold one that a reader of outcomes would refuse.
std::optional<double> execution_time_ms(const OutcomeSignal& outcome);

}  // namespace hebb
