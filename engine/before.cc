#include "engine/before.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/current/events.h"
#include "reward/readiness.h"

namespace hebb {

using graph::NodeId;

const HeldBefore::Node* GraphBefore::find(const std::string& id) {
  auto known = known_.find(id);
  if (known == known_.end()) known = known_.emplace(id, look_up(id)).first;
  return known->second ? &*known->second : nullptr;
}

bool GraphBefore::was_deleted(const std::string& id) {
  const State& state = impl_.folded.state();
  const auto n = state.find(id);
  return n && state.graph().nodes().deleted_at[*n] != graph::kNever;
}

bool GraphBefore::has_outcome(const std::string& id) {
  const auto [known, asked] = outcomes_.try_emplace(id);
  if (asked) known->second = impl_.ledger.position_of(event_key(OutcomeSignal{}, id)).has_value();
  return known->second;
}

const std::vector<Event>& GraphBefore::events_of(const std::string& id) {
  const auto [known, asked] = events_.try_emplace(id);
  if (asked) known->second = events_told_of(impl_.folded, id);
  return known->second;
}

std::optional<HeldBefore::Node> GraphBefore::look_up(const std::string& id) {
  const State& state = impl_.folded.state();
  if (!state.exists(id)) return std::nullopt;
  const graph::Graph& g = state.graph();
  const NodeId n = *state.find(id);
  Node node;
  const NodeContent content = impl_.folded.content(id);
  node.name = content.name.value_or("");
  node.description = content.description.value_or("");
  node.state = g.states().name(g.nodes().state[n]);
  node.type = g.node_types().name(g.nodes().type[n]);
  node.priority = g.nodes().priority[n];
  node.due_at = g.nodes().due_at[n];
  node.snoozed_until = g.nodes().snoozed_until[n];
  node.estimate = g.nodes().estimate[n];
  node.is_unknown = reward::is_unknown(state.view(), n);
  const auto add = [&](std::vector<Edge>& edges, graph::EdgeId e, NodeId other) {
    edges.push_back({std::string(g.edge_types().name(g.type(e))), std::string(g.id(other))});
  };
  for (const auto e : g.out_edges(n)) add(node.out, e, g.target(e));
  for (const auto e : g.in_edges(n)) add(node.in, e, g.source(e));
  return node;
}

std::vector<std::string> gone(EngineImpl& impl, std::string_view format,
                              const std::set<std::string>& listed) {
  const State& state = impl.folded.state();
  const graph::Graph& g = state.graph();
  const std::string mark = fmt::format(R"("source":"{}")", format);
  std::vector<std::string> ids;
  for (NodeId n = 0; n < g.node_bound(); ++n) {
    const std::string id(g.id(n));
    const std::string_view in = g.states().name(g.nodes().state[n]);
    if (in.empty() || reward::is_over(in) || !state.exists(id) || listed.contains(id)) continue;
    const auto properties = impl.folded.content(id).properties;
    if (properties && properties->find(mark) != std::string::npos) ids.push_back(id);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace hebb
