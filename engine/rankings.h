// What backtest, simulate and recalibrate share: the rankings learned is compared with, and the
// guides a recalibration writes.
#pragma once

#include <span>

#include "engine/event.h"
#include "engine/state.h"
#include "reward/policy.h"
#include "reward/ranking.h"

namespace hebb {

// Keys of edge types ("type.*", "other.*"): what the graph means, whichever way it is ranked.
bool about_types(std::string_view policy_key);

// The published formula, blind to what outcomes and rankings wrote; types decay as in types_from.
reward::Policy formula_only(const reward::Policy& types_from);
// No type decays or becomes dormant.
reward::Policy without_decay(reward::Policy policy);

// A state that folds by `policy` from its beginning.
State state_with(const reward::Policy& policy);

// frontier -> task GUIDES for the first policy.top_k, x relative to the first (or absolute, in
// seed).
Recalibration guides(const State& state, std::span<const reward::Ranked> ranked);

}  // namespace hebb
