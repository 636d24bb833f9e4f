// What the operations share that look at the graph's edges as they are at a time.
#pragma once

#include <vector>

#include "api/edges.h"

namespace hebb::api {

// Both ends exist: created and not deleted.
bool is_between_existing(const State& s, graph::EdgeId e);

// By EdgeId, for the algorithms of graph/: 1 / effective weight; infinite for what is dormant,
// without weight, or between nodes that do not exist. O(edges).
std::vector<double> costs(const State& s, TimeMs now);

// By weight, then type, source and target.
void strongest_first(std::vector<EdgeNow>& edges);

}  // namespace hebb::api
