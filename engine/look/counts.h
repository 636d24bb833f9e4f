// Functions that several files of engine/look/ share. Only for these.
#pragma once

#include <tuple>
#include <vector>

#include "engine/look/look.h"
#include "engine/rank/node_facts.h"
#include "reward/readiness.h"

namespace hebb {

inline bool ends_exist(const reward::View& view, graph::EdgeId e) {
  return reward::exists(view, view.graph.source(e)) && reward::exists(view, view.graph.target(e));
}

// By EdgeId, for the algorithms of graph/: 1 / weight; infinite for edges that do not count.
std::vector<double> costs(const reward::View& view, TimeMs now);

// By weight, then by type, source and target.
inline bool stronger(const EdgeNow& a, const EdgeNow& b) {
  if (a.weight != b.weight) return a.weight > b.weight;
  return std::tie(a.type, a.source, a.target) < std::tie(b.type, b.source, b.target);
}

// claim: of the node, if it has one that holds.
void describe(const reward::View& view, reward::Readiness& readiness, FactsOf& facts,
              graph::NodeId n, const NodeContent& content, const ClaimRow* claim,
              DescribedNode& node);
// The claim of a node that holds at that time; nullptr: there is none.
const ClaimRow* claim_at(const Claims& claims, std::string_view id, TimeMs clock);

}  // namespace hebb
