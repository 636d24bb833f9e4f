// The rankings with which a backtest, and the simulation of the tests, compare `learned`.
#pragma once

#include "engine/fold/state.h"
#include "engine/ledger/event.h"
#include "reward/policy.h"

namespace hebb::study {

// Whether a key is of a type of edges ("type.*", "other.*") or nodes ("node.*"). Such settings hold
// for all rankings.
bool about_types(std::string_view policy_key);

// The published formula, without the edges that outcomes and rankings wrote; types decay as in
// types_from.
reward::Policy formula_only(const reward::Policy& types_from);
// No type decays or becomes dormant.
reward::Policy without_decay(reward::Policy policy);

// A new state in which `policy` is in force from the beginning.
State state_with(const reward::Policy& policy);

}  // namespace hebb::study
