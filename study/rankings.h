// What backtest and simulate share: the rankings that `learned` is compared with.
#pragma once

#include "engine/fold/state.h"
#include "engine/ledger/event.h"
#include "reward/policy.h"

namespace hebb::study {

// Keys of edge types ("type.*", "other.*"): what the graph means, whichever way it is ranked.
bool about_types(std::string_view policy_key);

// The published formula, blind to what outcomes and rankings wrote; types decay as in types_from.
reward::Policy formula_only(const reward::Policy& types_from);
// No type decays or becomes dormant.
reward::Policy without_decay(reward::Policy policy);

// A state that folds by `policy` from its beginning.
State state_with(const reward::Policy& policy);

}  // namespace hebb::study
