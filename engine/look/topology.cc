// Counts of the whole graph.
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "engine/look/counts.h"
#include "engine/tables.h"
#include "graph/algorithms.h"

namespace hebb {

using graph::EdgeId;
using graph::NodeId;

namespace {

constexpr std::size_t kCyclesShown = 20;

// --- the graph -----------------------------------------------------------------------------------

std::vector<EdgeTypeCount> edge_types(const reward::View& view, TimeMs now) {
  const auto& g = view.graph;
  std::map<std::string_view, EdgeTypeCount> counts;
  for (EdgeId e = 0; e < g.edge_bound(); ++e) {
    if (!g.is_live_edge(e) || !ends_exist(view, e)) continue;
    auto& count = counts[g.edge_types().name(g.type(e))];
    ++count.count;
    count.dormant +=
        reward::dormant(view.types[g.type(e)], g.edges().weight[e], g.edges().touched_at[e], now);
  }
  std::vector<EdgeTypeCount> list;
  for (const auto& [type, count] : counts)
    list.push_back({std::string(type), count.count, count.dormant});
  return list;
}

std::int64_t component_count(const reward::View& view, const std::vector<double>& cost) {
  const auto components = graph::components(view.graph, cost);
  std::unordered_set<NodeId> counted;
  for (NodeId n = 0; n < view.graph.node_bound(); ++n) {
    if (reward::exists(view, n)) counted.insert(components.of_node[n]);
  }
  return std::ssize(counted);
}

// Tasks in such a cycle can never be ranked.
std::vector<BlockingCycle> blocking_cycles(const reward::View& view, std::vector<double> cost) {
  constexpr double kUnusable = std::numeric_limits<double>::infinity();
  const auto& g = view.graph;
  const reward::KnownNames kinds(g);
  for (EdgeId e = 0; e < g.edge_bound(); ++e) {
    if (!g.is_live_edge(e)) continue;
    if (g.type(e) != kinds.blocks || !reward::is_unfinished(view, kinds, g.source(e)))
      cost[e] = kUnusable;
  }
  std::vector<BlockingCycle> cycles;
  while (const auto found = graph::find_cycle(g, cost)) {
    if (cycles.size() == kCyclesShown) break;
    auto& cycle = cycles.emplace_back();
    for (const EdgeId e : *found) {
      cycle.tasks.emplace_back(g.id(g.source(e)));
      cost[e] = kUnusable;
    }
  }
  return cycles;
}

// --- facets --------------------------------------------------------------------------------------

template <class Counted>  // NodeTypeCount or Facet
void add(Counted& counted, bool open) {
  ++counted.count;
  counted.open += open;
}

void sort(std::vector<Facet>& facets) {
  std::ranges::sort(facets, [](const Facet& a, const Facet& b) {
    return std::tie(b.open, b.count, a.value) < std::tie(a.open, a.count, b.value);
  });
}

std::vector<Facet> by_value(const std::map<std::string, Facet>& counts) {
  std::vector<Facet> facets;
  for (const auto& [value, facet] : counts) facets.push_back({value, {}, facet.count, facet.open});
  return facets;
}

// The contexts that nodes have.
std::vector<Facet> labels(Engine& engine, const reward::View& view, const TookRow& took) {
  const auto& g = view.graph;
  std::unordered_map<NodeId, Facet> counts;
  for (NodeId n = 0; n < g.node_bound(); ++n) {
    if (n == kFrontierNode || !reward::exists(view, n)) continue;
    std::unordered_set<NodeId> seen;  // a label may be one by two types
    for (const EdgeId e : g.out_edges(n)) {
      const NodeId label = g.target(e);
      if (view.types[g.type(e)].context && label != kFrontierNode && reward::exists(view, label) &&
          seen.insert(label).second)
        add(counts[label], g.states().name(g.nodes().state[n]) == kOpen);
    }
  }
  std::vector<Facet> list;
  for (auto& [n, facet] : counts) {
    facet.value = g.id(n);
    if (auto name = engine.content(facet.value).name; name && !name->empty())
      facet.name = std::move(name);
    if (took) took(facet.value.size() + facet.name.value_or("").size());
    list.push_back(std::move(facet));
  }
  sort(list);
  return list;
}

std::vector<Facet> projects(Engine& engine, const TookRow& took) {
  auto& rows = tables_of(engine).query(sql::Query::count_by_project);
  const sql::Reset reset(rows);
  std::vector<Facet> list;
  while (rows.step()) {
    list.push_back({std::string(rows.text(0)), {}, rows.integer(1), rows.integer(2)});
    if (took) took(list.back().value.size());
  }
  return list;
}

}  // namespace

Topology topology(Engine& engine, bool facets, TimeMs now, const TookRow& took) {
  const auto moment = engine.read_snapshot();
  const auto view = engine.state().view();
  const auto& g = view.graph;
  std::map<std::string, NodeTypeCount> types;
  std::map<std::string, Facet> states;
  for (NodeId n = 0; n < g.node_bound(); ++n) {
    if (!reward::exists(view, n)) continue;
    const std::string& state = g.states().name(g.nodes().state[n]);
    add(types[g.node_types().name(g.nodes().type[n])], state == kOpen);
    if (!state.empty()) add(states[state], state == kOpen);
  }
  Topology found;
  for (const auto& [type, count] : types)
    found.node_types.push_back({type, count.count, count.open});
  if (facets) {
    sort(found.states.emplace(by_value(states)));
    found.labels = labels(engine, view, took);
    found.projects = projects(engine, took);
  } else {
    found.edge_types = edge_types(view, now);
    auto cost = costs(view, now);
    found.components = component_count(view, cost);
    found.blocking_cycles = blocking_cycles(view, std::move(cost));
  }
  return found;
}

}  // namespace hebb
