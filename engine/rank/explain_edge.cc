// How an edge got its weight.
#include <limits>

#include "engine/current/events.h"
#include "engine/rank/cause.h"
#include "engine/rank/edge_history.h"
#include "engine/rank/explain.h"

namespace hebb {

EdgeExplanation explain(Folded& folded, const EdgeName& edge, std::optional<TimeMs> as_of,
                        std::optional<TimeMs> now) {
  EdgeExplanation x;
  x.edge = edge;
  const State& current = folded.state();
  const auto events = events_of(folded, edge, as_of.value_or(kEndOfTime));
  std::optional<State> then;
  if (as_of) then.emplace(folded.as_of(*as_of));
  const State& s = then ? *then : current;
  replay_edge(s, edge, events, [&](const Event& e, std::string rule, auto before, auto after) {
    x.steps.push_back({cause_of(e), std::move(rule), before, after});
    if (!before) x.properties = "{}";
    const auto* link = std::get_if<Link>(&e.payload);
    if (link && link->properties) x.properties = *link->properties;
  });
  const auto e = s.find_edge(edge);
  const TimeMs touched_at = e ? s.graph().edges().touched_at[*e] : 0;
  // Not before the edge was last touched: what it weighed then, `as_of` says.
  x.at = std::max(now.value_or(as_of.value_or(s.stamp())), touched_at);
  if (!e) return x;
  const auto& type = s.type_policy(s.graph().type(*e));
  x.exists = true;
  x.stored_weight = s.graph().edges().weight[*e];
  x.touched_at = touched_at;
  x.weight = reward::effective(type, x.stored_weight, x.touched_at, x.at);
  x.dormant = reward::dormant(type, x.stored_weight, x.touched_at, x.at);
  return x;
}

}  // namespace hebb
