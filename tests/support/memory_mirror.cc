// The mirror of storage in memory.
#include <algorithm>

#include <fmt/format.h>

#include "engine/fold/blocking.h"
#include "engine/reasons.h"
#include "tests/support/memory_view.h"

namespace hebb::test {

namespace {

using graph::NodeId;

void take(std::optional<std::string>& to, const std::optional<std::string>& from) {
  if (from) to = from;
}

NodeContent empty_content() {
  NodeContent content;
  content.name = content.description = content.project = content.scope = "";
  content.properties = "{}";
  return content;
}

}  // namespace

void write_rows(MemoryRows& rows, State& state, std::int64_t position) {
  const auto& g = state.graph();
  const auto& c = g.nodes();
  auto& changes = state.changes();
  const auto nodes_before = changes.everything ? decltype(rows.nodes)() : std::move(rows.nodes);
  const auto edges_before = changes.everything ? decltype(rows.edges)() : std::move(rows.edges);
  rows.nodes.clear();
  rows.edges.clear();
  for (NodeId n = 0; n < g.node_bound(); ++n) {
    if (!g.is_live_node(n) || c.created_at[n] == graph::kNever) continue;
    const std::string id(g.id(n));
    auto& row = rows.nodes[id];
    row.type = g.node_types().name(c.type[n]);
    row.state = g.states().name(c.state[n]);
    row.created_at = c.created_at[n];
    row.updated_at = c.updated_at[n];
    row.reopened_at = c.reopened_at[n];
    row.outcome_at = c.outcome_at[n];
    row.completed_at = c.completed_at[n];
    row.deleted_at = c.deleted_at[n];
    row.successes = c.successes[n];
    row.failures = c.failures[n];
    row.tried_at = c.tried_at[n];
    row.priority = c.priority[n];
    row.due_at = c.due_at[n];
    row.snoozed_until = c.snoozed_until[n];
    row.pinned = c.pinned[n] != 0;
    row.failed = c.failed[n];
    const auto vector = state.vectors().row(n);
    row.vector.assign(vector.begin(), vector.end());
    const auto before = nodes_before.find(id);
    const auto changed = changes.content.find(n);
    const bool anew =
        before == nodes_before.end() || (changed != changes.content.end() && changed->second.reset);
    row.content = anew ? empty_content() : before->second.content;
    if (changed == changes.content.end()) continue;
    take(row.content.name, changed->second.name);
    take(row.content.description, changed->second.description);
    take(row.content.project, changed->second.project);
    take(row.content.scope, changed->second.scope);
    take(row.content.properties, changed->second.properties);
  }
  for (graph::EdgeId e = 0; e < g.edge_bound(); ++e) {
    if (!g.is_live_edge(e)) continue;
    const std::tuple key{std::string(g.id(g.source(e))), g.edge_types().name(g.type(e)),
                         std::string(g.id(g.target(e)))};
    auto& row = rows.edges[key];
    if (const auto before = edges_before.find(key); before != edges_before.end())
      row.properties = before->second.properties;
    row.weight = g.edges().weight[e];
    row.gained = g.edges().gained[e];
    row.touched_at = g.edges().touched_at[e];
    const auto properties = changes.edge_properties.find({g.source(e), g.target(e), g.type(e)});
    if (properties != changes.edge_properties.end()) row.properties = properties->second;
  }
  rows.policy.clear();
  for (const auto& [key, value] : reward::settings(state.policy())) rows.policy[key] = value;

  rows.stamp = state.stamp();
  const auto view = state.view();
  const auto focus = reward::focus(view, rows.stamp);
  const auto ranked = reward::rank(view, focus, rows.stamp);
  std::vector<const reward::Ranked*> kept;
  for (const auto& r : ranked) {
    if (std::ssize(kept) < state.policy().mirrored) kept.push_back(&r);
  }
  MeanFactors mean;
  for (const auto& r : ranked) mean.add(r.factors);
  const auto reasons = reasons_of(view, focus, rows.stamp, mean, kept, false, nullptr);
  rows.path.clear();
  for (std::size_t i = 0; i < kept.size(); ++i) {
    PathRow row;
    row.rank = static_cast<std::int64_t>(i) + 1;
    row.id = g.id(kept[i]->node);
    row.name = rows.nodes[row.id].content.name.value_or("");
    row.factors = kept[i]->factors;
    row.pinned = c.pinned[kept[i]->node] != 0;
    row.reasons = reasons[i];
    rows.path.push_back(std::move(row));
  }
  rows.candidates = ranked.size();
  rows.blocking_cycle = blocking_cycle(state, rows.stamp);
  rows.position = position;
  rows.recalibrated_at = state.recalibrated() ? state.stamp() : graph::kNever;
  rows.latest = state.latest();
  rows.embedder = state.embedder();
  rows.dimension = state.dimension();
}

std::vector<std::string> lines_of(const MemoryRows& rows) {
  std::vector<std::string> lines;
  for (const auto& [id, n] : rows.nodes) {
    lines.push_back(fmt::format(
        "node {} {} {} {} {} {} {} {} {} {} {} {} {} {} {:a} {:a} {} {} {} {} {} {} {}", id, n.type,
        n.state, *n.content.name, *n.content.description, *n.content.project, *n.content.scope,
        *n.content.properties, n.created_at, n.updated_at, n.reopened_at, n.outcome_at,
        n.completed_at, n.deleted_at, n.successes, n.failures, n.tried_at, n.priority, n.due_at,
        n.snoozed_until, n.pinned, n.failed, fmt::join(n.vector, ",")));
  }
  for (const auto& [key, e] : rows.edges) {
    lines.push_back(fmt::format("edge {} {} {} {:a} {:a} {} {}", std::get<0>(key), std::get<1>(key),
                                std::get<2>(key), e.weight, e.gained, e.touched_at, e.properties));
  }
  for (const auto& [key, value] : rows.policy)
    lines.push_back(fmt::format("policy {} {}", key, value));
  for (const auto& p : rows.path) {
    lines.push_back(fmt::format("path {} {} {:a} {}", p.rank, p.id, p.factors.priority,
                                fmt::join(p.reasons, ",")));
  }
  lines.push_back(fmt::format("marks {} {} {} {} {} {} {}", rows.stamp, rows.recalibrated_at,
                              rows.latest.at, rows.latest.key, rows.embedder, rows.dimension,
                              rows.candidates));
  return lines;
}

}  // namespace hebb::test
