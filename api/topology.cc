// topology, neighborhood: statistics of the whole graph, and the nodes around one node.
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "api/common.h"
#include "api/edges.h"
#include "api/graph_view.h"
#include "api/operations.h"
#include "api/room.h"
#include "graph/algorithms.h"
#include "reward/evidence.h"

namespace hebb::api {

using graph::EdgeId;
using graph::NodeId;

namespace {

constexpr double kUnusable = std::numeric_limits<double>::infinity();
constexpr std::size_t kCyclesShown = 20;

}  // namespace

// --- the whole graph -----------------------------------------------------------------------------

struct NodeTypeCount {
  std::string type;
  std::int64_t count = 0, open = 0;
};
RECORD(NodeTypeCount,
       FIELD(type, "TASK, LABEL, …"),
       FIELD(count, "How many nodes are of it"),
       FIELD(open, "How many of these are OPEN"))

struct EdgeTypeCount {
  std::string type;
  std::int64_t count = 0, dormant = 0;
};
RECORD(EdgeTypeCount,
       FIELD(type, "PARENT_OF, BLOCKS, LABELED_AS, RELATES_TO, …"),
       FIELD(count, "How many edges are of it"),
       FIELD(dormant, "How many of these are dormant"))

struct BlockingCycle {
  std::vector<std::string> tasks;  // each blocks the next, the last the first
};
RECORD(BlockingCycle,
       FIELD(tasks, "Each blocks the next, and the last the first"))

struct TopologyResult {
  std::vector<NodeTypeCount> node_types;  // by type
  std::vector<EdgeTypeCount> edge_types;  // by type
  std::int64_t components = 0;
  std::vector<BlockingCycle> blocking_cycles;  // at most 20; no edge is in two of them
};
RECORD(TopologyResult,
       FIELD(node_types, "The nodes that exist, counted by their type"),
       FIELD(edge_types, "The edges between them, counted by their type"),
       FIELD(components, "Parts of the graph that no edge connects with one another; dormant edges "
             "do not count"),
       FIELD(blocking_cycles, "Rings of tasks that block one another, so that none of them can be "
             "ranked; the first 20"))

namespace {

bool exists(const State& s, NodeId n) {
  const auto& c = s.graph().nodes();
  return s.graph().is_live_node(n) && c.created_at[n] != graph::kNever &&
         c.deleted_at[n] == graph::kNever;
}

bool is_open(const State& s, NodeId n) {
  return s.graph().states().name(s.graph().nodes().state[n]) == kOpen;
}

std::vector<NodeTypeCount> node_types(const State& s) {
  const auto& g = s.graph();
  std::map<std::string, NodeTypeCount> counts;
  for (NodeId n = 0; n < g.node_bound(); ++n) {
    if (!exists(s, n)) continue;
    auto& count = counts[g.node_types().name(g.nodes().type[n])];
    ++count.count;
    count.open += is_open(s, n);
  }
  std::vector<NodeTypeCount> list;
  for (auto& [type, count] : counts) list.push_back({type, count.count, count.open});
  return list;
}

std::vector<EdgeTypeCount> edge_types(const State& s, TimeMs now) {
  const auto& g = s.graph();
  std::map<std::string, EdgeTypeCount> counts;
  for (EdgeId e = 0; e < g.edge_bound(); ++e) {
    if (!g.is_live_edge(e) || !is_between_existing(s, e)) continue;
    const EdgeNow edge = edge_now(s, e, now);
    auto& count = counts[edge.type];
    ++count.count;
    count.dormant += edge.dormant;
  }
  std::vector<EdgeTypeCount> list;
  for (auto& [type, count] : counts) list.push_back({type, count.count, count.dormant});
  return list;
}

std::int64_t component_count(const State& s, const std::vector<double>& cost) {
  const auto components = graph::components(s.graph(), cost);
  std::vector<bool> counted(components.count, false);
  std::int64_t count = 0;
  for (NodeId n = 0; n < s.graph().node_bound(); ++n) {
    if (!exists(s, n) || counted[components.of[n]]) continue;
    counted[components.of[n]] = true;
    ++count;
  }
  return count;
}

// Tasks in such a cycle can never be ranked. Each edge is in at most one of the cycles reported.
std::vector<BlockingCycle> blocking_cycles(const State& s, std::vector<double> cost) {
  const auto& g = s.graph();
  const auto view = s.view();
  const reward::Kinds kinds(g);
  for (EdgeId e = 0; e < g.edge_bound(); ++e) {
    if (!g.is_live_edge(e)) continue;
    if (g.type(e) != kinds.blocks || !reward::is_unfinished(view, kinds, g.source(e)))
      cost[e] = kUnusable;
  }
  std::vector<BlockingCycle> cycles;
  while (const auto found = graph::find_cycle(g, cost)) {
    if (cycles.size() == kCyclesShown) break;
    BlockingCycle cycle;
    for (const EdgeId e : *found) {
      cycle.tasks.emplace_back(g.id(g.source(e)));
      cost[e] = kUnusable;
    }
    cycles.push_back(std::move(cycle));
  }
  return cycles;
}

}  // namespace

static TopologyResult topology(Session& session, const Nothing&) {
  const State& s = session.engine(Access::read).state();
  auto cost = costs(s, session.now());
  TopologyResult result;
  result.node_types = node_types(s);
  result.edge_types = edge_types(s, session.now());
  result.components = component_count(s, cost);
  result.blocking_cycles = blocking_cycles(s, std::move(cost));
  return result;
}

// --- around one node -----------------------------------------------------------------------------

struct NeighborhoodRequest {
  std::string id;
  std::int64_t depth = 2;
};
RECORD(NeighborhoodRequest,
       FIELD(id, "The node in the middle",
             {.required = true, .positional = true, .option = "NODE"}),
       FIELD(depth, "How many edges far", {.unit = "edges", .min = 0, .max = 64}))

struct ReachedNode {
  std::string id, type, state;
  std::int64_t depth = 0;
  std::optional<std::int64_t> reached_by;  // index in the result's edges; absent: the start node
};
RECORD(ReachedNode,
       FIELD(id, "The node"),
       FIELD(type, "TASK, LABEL, …"),
       FIELD(state, "OPEN is a task to be ranked"),
       FIELD(depth, "How many edges far it is from the middle"),
       FIELD(reached_by, "The edge it was reached by: its place in `edges`, from 0; the middle has "
             "none"))

struct NeighborhoodResult {
  std::vector<ReachedNode> nodes;  // the start node first, then the nearest
  std::vector<EdgeNow> edges;      // all edges between these nodes that are not dormant
};
RECORD(NeighborhoodResult,
       FIELD(nodes, "The node in the middle, then the others, the nearest first"),
       FIELD(edges, "All edges between these nodes that are not dormant"))

static NeighborhoodResult neighborhood(Session& session, const NeighborhoodRequest& request) {
  const State& s = session.engine(Access::read).state();
  const auto& g = s.graph();
  const NodeId middle = require_node(s, request.id);
  const auto cost = costs(s, session.now());
  const auto reached = graph::neighbourhood(g, middle, static_cast<int>(request.depth), cost);
  std::vector<bool> is_reached(g.node_bound(), false);
  for (const auto& r : reached) is_reached[r.node] = true;
  NeighborhoodResult result;
  Room room(session);
  std::unordered_map<EdgeId, std::int64_t> place;  // index in the result's edges
  for (const auto& r : reached) {
    for (const EdgeId e : g.out_edges(r.node)) {
      if (!std::isfinite(cost[e]) || !is_reached[g.target(e)]) continue;
      place[e] = static_cast<std::int64_t>(result.edges.size());
      EdgeNow edge = edge_now(s, e, session.now());
      room.take(7, edge.source, edge.target, edge.type);
      result.edges.push_back(std::move(edge));
    }
  }
  for (const auto& r : reached) {
    ReachedNode node;
    node.id = g.id(r.node);
    node.type = g.node_types().name(g.nodes().type[r.node]);
    node.state = g.states().name(g.nodes().state[r.node]);
    node.depth = r.depth;
    if (r.node != middle) node.reached_by = place.at(r.by);
    room.take(5, node.id, node.type, node.state);
    result.nodes.push_back(std::move(node));
  }
  return result;
}

Operations topology_operations() {
  return {
      operation(
          {.name = "topology",
           .summary = "How many nodes and edges of which types there are, and what blocks itself",
           .example = "  hebb topology",
           .route = "GET /topology"},
          topology),
      operation({.name = "neighborhood",
                 .command = "topology",
                 .summary = "The nodes around a node, and the edges between them",
                 .example = "  hebb topology task-7 --depth 3\n"
                            "  hebb topology task-7 --format dot | dot -Tsvg > task-7.svg",
                 .route = "GET /nodes/{id}/neighborhood",
                 .problems = {ProblemType::not_found}},
                neighborhood),
  };
}

}  // namespace hebb::api
