// The edges of a node, and the path of least cost along them.
#include <limits>

#include "engine/look/counts.h"
#include "graph/algorithms.h"

namespace hebb {

using graph::EdgeId;
using graph::NodeId;

EdgeNow edge_now(const State& s, EdgeId e, TimeMs now) {
  const auto& g = s.graph();
  const auto& type = type_policy(s, g.type(e));
  const double w = g.edges().weight[e];
  const TimeMs t = g.edges().touched_at[e];
  return {edge_name(g, e), reward::effective(type, w, t, now), w, t,
          reward::dormant(type, w, t, now)};
}

std::vector<double> costs(const reward::View& view, TimeMs now) {
  const auto& g = view.graph;
  std::vector<double> all(g.edge_bound(), std::numeric_limits<double>::infinity());
  for (EdgeId e = 0; e < g.edge_bound(); ++e) {
    if (!g.is_live_edge(e)) continue;
    if (const double weight = reward::counting_weight(view, e, now); weight > 0)
      all[e] = 1 / weight;
  }
  return all;
}

Neighbors neighbors(const State& s, NodeId n, const NeighborsQuery& query, TimeMs now) {
  const auto& g = s.graph();
  const auto view = s.view();
  const bool out = query.direction != "in", in = query.direction != "out";
  Neighbors found;
  const auto take = [&](EdgeId e) {
    if (!ends_exist(view, e)) return;
    if (!query.type.empty() && g.edge_types().name(g.type(e)) != query.type) return;
    EdgeNow edge = edge_now(s, e, now);
    if (edge.dormant && !query.dormant)
      ++found.dormant_omitted;
    else
      found.edges.push_back(std::move(edge));
  };
  if (out) std::ranges::for_each(g.out_edges(n), take);
  for (const EdgeId e : g.in_edges(n))
    if (in && (!out || g.source(e) != n)) take(e);
  std::ranges::stable_sort(found.edges, stronger);
  return found;
}

std::optional<LeastPath> least_path(const State& s, NodeId source, NodeId target, TimeMs now) {
  const auto cost = costs(s.view(), now);
  const auto edges = graph::shortest_path(s.graph(), source, target, cost);
  if (!edges) return std::nullopt;
  LeastPath path;
  for (const EdgeId e : *edges) {
    path.cost += cost[e];
    path.edges.push_back(edge_now(s, e, now));
  }
  return path;
}

}  // namespace hebb
