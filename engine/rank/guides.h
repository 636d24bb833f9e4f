// The guides that a recalibration writes: edges from the frontier to the first of the ranking.
#pragma once

#include <span>

#include "engine/fold/state.h"
#include "engine/ledger/event.h"
#include "reward/ranking.h"

namespace hebb {

// An edge frontier -GUIDES-> task for each of the first policy.top_k of a ranking. Its strength is
// the task's priority divided by the first one's; in the profile `seed`, the priority itself.
Recalibration guides(const State& state, std::span<const reward::Ranked> ranked);

}  // namespace hebb
