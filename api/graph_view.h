// Helpers of the operations that look at the graph's edges at a given time.
#pragma once

#include <vector>

#include "api/edges.h"

namespace hebb::api {

// Both ends exist: created and not deleted.
bool is_between_existing(const State& s, graph::EdgeId e);

// Costs by EdgeId, for the algorithms of graph/: 1 / effective weight; infinite for edges that are
// dormant, have no weight, or end at a node that does not exist. O(edges).
std::vector<double> costs(const State& s, TimeMs now);

// Sorts by weight, largest first, then by type, source and target.
void strongest_first(std::vector<EdgeNow>& edges);

}  // namespace hebb::api
