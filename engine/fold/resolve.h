// The last step before an event is appended: fills in its values from the graph, or refuses it.
#pragma once

#include <optional>

#include "engine/fold/state.h"
#include "engine/ledger/event.h"
#include "engine/values/refusals.h"

namespace hebb {

// Fills in the fields that are resolved on arrival (a success's related nodes, a task's contexts, a
// vector's embedder) as known now. Changes nothing but `e`. Throws reward::BadPolicy.
std::optional<Refusal> resolve(const State& state, Event& e);

}  // namespace hebb
