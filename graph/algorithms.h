// Boost.Graph's algorithms on our graph, without Boost in the header.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace hebb::graph {

// Costs are indexed by EdgeId; an infinite cost means the edge may not be used.
// Dijkstra, O((V + E) log V). The edges from source to target in order; nullopt: no way.
std::optional<std::vector<EdgeId>> shortest_path(const Graph& g, NodeId source, NodeId target,
                                                 std::span<const double> cost);

// Component number per node, ignoring direction and unusable (infinite-cost) edges; numbers are
// 0 … count-1, by first node; dead nodes get kNoNode.
struct Components {
  std::vector<NodeId> of;
  std::size_t count = 0;
};
Components components(const Graph& g, std::span<const double> cost);

// Nodes within `depth` hops, either direction, breadth first, with the edge each was reached by.
struct Reached {
  NodeId node;
  EdgeId by;  // kNoNode for the start
  int depth;
};
std::vector<Reached> neighbourhood(const Graph& g, NodeId start, int depth,
                                   std::span<const double> cost);

// A cycle through the given usable edges (as its edges in order), if there is one.
std::optional<std::vector<EdgeId>> find_cycle(const Graph& g, std::span<const double> cost);

}  // namespace hebb::graph
