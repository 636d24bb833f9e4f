// Which outcomes count.
#pragma once

#include "engine/ledger/event.h"
#include "graph/graph.h"
#include "reward/policy.h"

namespace hebb {

class State;

// Whether a success closed the task, and nothing has reopened it since. No test is done: it is run
// again. policy: in force at the time.
bool is_done(const graph::Graph& graph, const reward::Policy& policy, graph::NodeId n);

// Whether an event changes anything. An outcome of a task that is done does not: the work is done
// once. policy: in force at the event.
bool counts(const graph::Graph& graph, const reward::Policy& policy, const Event& e);
bool counts(const State& state, const Event& e);  // as the next event

}  // namespace hebb
