// topology, neighborhood: statistics of the whole graph, and the nodes around one node.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/edges.h"
#include "api/operation.h"

namespace hebb::api {

struct TopologyRequest {
  static const Fields& fields();
};
struct NodeTypeCount {
  std::string type;
  std::int64_t count = 0, open = 0;
  static const Fields& fields();
};
struct EdgeTypeCount {
  std::string type;
  std::int64_t count = 0, dormant = 0;
  static const Fields& fields();
};
struct BlockingCycle {
  std::vector<std::string> tasks;  // each blocks the next, the last the first
  static const Fields& fields();
};
struct TopologyResult {
  std::vector<NodeTypeCount> node_types;  // by type
  std::vector<EdgeTypeCount> edge_types;  // by type
  std::int64_t components = 0;
  std::vector<BlockingCycle> blocking_cycles;  // at most 20; no edge is in two of them
  static const Fields& fields();
};
TopologyResult topology(Session& session, const TopologyRequest& request);
Operation topology_operation();

struct NeighborhoodRequest {
  std::string id;
  std::int64_t depth = 2;
  static const Fields& fields();
};
struct ReachedNode {
  std::string id, type, state;
  std::int64_t depth = 0;
  std::optional<std::int64_t> reached_by;  // index in the result's edges; absent: the start node
  static const Fields& fields();
};
struct NeighborhoodResult {
  std::vector<ReachedNode> nodes;  // the start node first, then the nearest
  std::vector<EdgeNow> edges;      // all edges between these nodes that are not dormant
  static const Fields& fields();
};
NeighborhoodResult neighborhood(Session& session, const NeighborhoodRequest& request);
Operation neighborhood_operation();

}  // namespace hebb::api
