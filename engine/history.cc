// The past: undone events, the state at an earlier time, the events that shaped an edge or a node.
#include <limits>

#include "engine/engine_impl.h"

namespace hebb {

namespace {}  // namespace

bool Engine::is_undone(std::int64_t position) {
  impl_->state();
  return impl_->undone.contains(position);
}

std::unordered_set<std::int64_t> Engine::undone() {
  impl_->state();
  return impl_->undone.events;
}

State Engine::state_as_of(TimeMs at) {
  const auto snapshot = impl_->one_moment();
  State state;
  impl_->fold_into(state, at, kEndOfTime, impl_->undone_at(at));
  return state;
}

std::vector<Event> Engine::events_of_edge(const EdgeName& edge, TimeMs until) {
  State& s = impl_->state();
  const auto source = s.graph().find_node(edge.source);
  const auto target = s.graph().find_node(edge.target);
  if (!source || !target) return {};
  Scope scope;  // the type matters to the fold, not to where its events are found
  scope.edges.insert({*source, *target, 0});
  return impl_->events_of(scope, until);
}

std::vector<Event> Engine::events_of_node(std::string_view id, TimeMs until) {
  State& s = impl_->state();
  const auto n = s.graph().find_node(id);
  if (!n) return {};
  Scope scope;
  scope.nodes.insert(*n);
  return impl_->events_of(scope, until);
}

}  // namespace hebb
