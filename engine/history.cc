// The past: undone events, the state at an earlier time, the events that shaped an edge or a node.
#include <limits>

#include "engine/engine_impl.h"

namespace hebb {

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
  State state(true);  // with the words of nodes, from which vectors are made
  state.changes().everything = true;
  const Undone undone = impl_->undone_at(at);
  impl_->fold_into(state, at, kEndOfTime, undone);
  impl_->drop_hanging(state, undone);
  return state;
}

std::vector<Event> Engine::events_of_edge(const EdgeName& edge, TimeMs until) {
  impl_->state();
  const bool of_frontier = edge.source == kFrontier;
  std::vector<std::string> subjects{edge.source};
  if (of_frontier) subjects.push_back(edge.target);
  return impl_->events_about(subjects, of_frontier, until);
}

std::vector<Event> Engine::events_of_node(std::string_view id, TimeMs until) {
  impl_->state();
  return impl_->events_about({std::string(id)}, false, until);
}

}  // namespace hebb
