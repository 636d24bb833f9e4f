// The guides that a recalibration writes: edges from the frontier to the first of the ranking.
#pragma once

#include <span>

#include "engine/fold/state.h"
#include "engine/ledger/event.h"
#include "reward/ranking.h"

namespace hebb {

// frontier -> task GUIDES for the first policy.top_k, x relative to the first (or absolute, in
// seed).
Recalibration guides(const State& state, std::span<const reward::Ranked> ranked);

}  // namespace hebb
