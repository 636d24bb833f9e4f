#include "engine/fold/done_once.h"

#include "engine/fold/state.h"
#include "reward/evidence.h"

namespace hebb {

bool is_done(const graph::Graph& graph, const reward::Policy& policy, graph::NodeId n) {
  const graph::NodeColumns& c = graph.nodes();
  if (c.completed_at[n] == graph::kNever || c.completed_at[n] < c.reopened_at[n]) return false;
  const std::string_view type = graph.node_types().name(c.type[n]);
  if (policy.test_by_failures && type == reward::kTestType) return false;
  return reward::is_over(graph.states().name(c.state[n]));
}

bool counts(const graph::Graph& graph, const reward::Policy& policy, const Event& e) {
  if (!std::holds_alternative<OutcomeSignal>(e.payload)) return true;
  const auto n = graph.find_node(e.subject);
  return !n || !is_done(graph, policy, *n);
}

bool counts(const State& state, const Event& e) {
  return counts(state.graph(), state.policies().at({e.at, e.key}), e);
}

}  // namespace hebb
