// Which edges count, and which come first. Only for engine/look/.
#pragma once

#include <optional>
#include <tuple>
#include <vector>

#include "engine/look/look.h"
#include "reward/evidence.h"
#include "reward/weight.h"

namespace hebb {

inline bool ends_exist(const reward::View& view, graph::EdgeId e) {
  return reward::exists(view, view.graph.source(e)) && reward::exists(view, view.graph.target(e));
}

// Its weight, if it counts; dormant: or would, if it were awake.
inline std::optional<double> weight_if_counts(const reward::View& view, graph::EdgeId e, TimeMs now,
                                              bool dormant = false) {
  if (!ends_exist(view, e)) return std::nullopt;
  const auto& type = view.types[view.graph.type(e)];
  const double w = view.graph.edges().weight[e];
  const TimeMs t = view.graph.edges().touched_at[e];
  const double weight = reward::effective(type, w, t, now);
  if (weight <= 0 || (!dormant && reward::dormant(type, w, t, now))) return std::nullopt;
  return weight;
}

// By EdgeId, for the algorithms of graph/: 1 / weight; infinite for edges that do not count.
std::vector<double> costs(const reward::View& view, TimeMs now);

// By weight, then by type, source and target.
inline bool stronger(const EdgeNow& a, const EdgeNow& b) {
  if (a.weight != b.weight) return a.weight > b.weight;
  return std::tie(a.type, a.source, a.target) < std::tie(b.type, b.source, b.target);
}

}  // namespace hebb
