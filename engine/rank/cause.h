// Events as reasons: each in one line, and the steps by which they changed an edge.
#pragma once

#include <functional>

#include "engine/fold/state.h"
#include "engine/rank/explain.h"

namespace hebb {

Cause cause_of(const Event& e);

// The event, the rule as people read it ("reinforce 0.1 x 1"), and the effective weight just before
// and just after; nothing where the edge is not there.
using EdgeStepSink = std::function<void(const Event&, std::string rule,
                                        std::optional<double> before, std::optional<double> after)>;

// events: those of the edge, in the fold's order. policies: has the policy in force at each.
void replay_edge(const State& policies, const EdgeName& edge, const std::vector<Event>& events,
                 const EdgeStepSink& step);

}  // namespace hebb
