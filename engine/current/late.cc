#include "engine/current/late.h"

#include <algorithm>

namespace hebb {

void Late::add(const Event& e, const Scope& touched, const State& state) {
  if (touched.empty()) return;
  scope_.add(touched);
  changes_lookups_ = changes_lookups_ || !std::holds_alternative<OutcomeSignal>(e.payload) ||
                     std::any_of(touched.edges.begin(), touched.edges.end(), [&](const EdgeKey& k) {
                       return state.type_policy(k.type).context;
                     });
}

bool Late::is_read_by(const Event& e, const State& state) const {
  if (scope_.empty()) return false;
  const auto waits = [&](std::string_view id) {
    const auto n = state.graph().find_node(id);
    return n && scope_.nodes.contains(*n);
  };
  if (const auto* link = std::get_if<Link>(&e.payload))
    return waits(e.subject) || waits(link->target);
  if (const auto* unlink = std::get_if<Unlink>(&e.payload))
    return waits(e.subject) || waits(unlink->target);
  if (std::holds_alternative<StateChange>(e.payload) ||
      std::holds_alternative<NodeUpsert>(e.payload) ||
      std::holds_alternative<NodeDelete>(e.payload)) {
    return waits(e.subject);
  }
  // A waiting outcome (unless changes_lookups_) changes rewards, guidance and a task's state. Only
  // a success whose related nodes must be found, or a pivot and the like, looks at these.
  const auto* outcome = std::get_if<OutcomeSignal>(&e.payload);
  const bool looks = !outcome || (outcome->outcome == OutcomeKind::success && !outcome->related);
  return looks || changes_lookups_;
}

Scope Late::take() {
  changes_lookups_ = false;
  return std::exchange(scope_, Scope{});
}

}  // namespace hebb
