#include "api/graph_view.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "reward/weight.h"

namespace hebb::api {

using graph::EdgeId;
using graph::NodeId;

bool is_between_existing(const State& s, EdgeId e) {
  const auto& c = s.graph().nodes();
  for (const NodeId n : {s.graph().source(e), s.graph().target(e)}) {
    const bool exists = c.created_at[n] != graph::kNever && c.deleted_at[n] == graph::kNever;
    if (n != kFrontierNode && !exists) return false;
  }
  return true;
}

std::vector<double> costs(const State& s, TimeMs now) {
  const auto& g = s.graph();
  std::vector<double> all(g.edge_bound(), std::numeric_limits<double>::infinity());
  for (EdgeId e = 0; e < g.edge_bound(); ++e) {
    if (!g.is_live_edge(e) || !is_between_existing(s, e)) continue;
    const auto& type = s.type_policy(g.type(e));
    const double w = g.edges().weight[e];
    const TimeMs t = g.edges().touched_at[e];
    const double weight = reward::effective(type, w, t, now);
    if (weight > 0 && !reward::dormant(type, w, t, now)) all[e] = 1 / weight;
  }
  return all;
}

void strongest_first(std::vector<EdgeNow>& edges) {
  std::stable_sort(edges.begin(), edges.end(), [](const EdgeNow& a, const EdgeNow& b) {
    if (a.weight != b.weight) return a.weight > b.weight;
    return std::tie(a.type, a.source, a.target) < std::tie(b.type, b.source, b.target);
  });
}

}  // namespace hebb::api
