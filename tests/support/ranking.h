// A ranking made anew, of a view.
#pragma once

#include <vector>

#include "reward/ranking.h"

namespace hebb::reward {

inline std::vector<Ranked> rank(const View& view, TimeMs now) {
  return Ranking(view, now).all(view.graph);
}

// Of any node, candidate or not.
inline Factors factors(const View& view, const Ranking& ranking, graph::NodeId n) {
  Factors result;
  multiply(view.policy, ranking.evidence_of(view, ranking.focus(), n), nullptr, result);
  return result;
}
inline Factors factors(const View& view, graph::NodeId n, TimeMs now) {
  return factors(view, Ranking(view, now), n);
}

}  // namespace hebb::reward
