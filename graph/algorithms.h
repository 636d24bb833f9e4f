// Boost.Graph's algorithms on our graph, without Boost in the header.
//
// A cost span is indexed by EdgeId and has at least edge_bound() entries; costs are not negative,
// and an infinite cost means that the edge may not be used. Nodes passed in must be live.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace hebb::graph {

// Dijkstra, O((V + E) log V), ending when the target is reached. The edges from source to target
// in order (none if they are the same node); nullopt: there is no path.
std::optional<std::vector<EdgeId>> shortest_path(const Graph& g, NodeId source, NodeId target,
                                                 std::span<const double> cost);

// Component number per node, ignoring direction and unusable edges, O(V + E); numbers are
// 0 … count-1, by first node; dead nodes get kNoNode.
struct Components {
  std::vector<NodeId> of_node;
  std::size_t count = 0;
};
Components components(const Graph& g, std::span<const double> cost);

// A directed cycle of usable edges (in order, each starting where the one before ended, the first
// where the last ended), if there is one. O(V + E).
std::optional<std::vector<EdgeId>> find_cycle(const Graph& g, std::span<const double> cost);

}  // namespace hebb::graph
