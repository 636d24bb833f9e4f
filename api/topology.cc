#include "api/topology.h"

#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>

#include "api/common.h"
#include "api/graph_view.h"
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

const Fields& TopologyRequest::fields() {
  static const Fields kFields{};
  return kFields;
}

const Fields& NodeTypeCount::fields() {
  static const Fields kFields{
      field("type", &NodeTypeCount::type, "TASK, LABEL, …"),
      field("count", &NodeTypeCount::count, "How many nodes are of it"),
      field("open", &NodeTypeCount::open, "How many of these are OPEN"),
  };
  return kFields;
}

const Fields& EdgeTypeCount::fields() {
  static const Fields kFields{
      field("type", &EdgeTypeCount::type, "PARENT_OF, BLOCKS, LABELED_AS, RELATES_TO, …"),
      field("count", &EdgeTypeCount::count, "How many edges are of it"),
      field("dormant", &EdgeTypeCount::dormant, "How many of these are dormant"),
  };
  return kFields;
}

const Fields& BlockingCycle::fields() {
  static const Fields kFields{
      field("tasks", &BlockingCycle::tasks, "Each blocks the next, and the last the first")};
  return kFields;
}

const Fields& TopologyResult::fields() {
  using R = TopologyResult;
  static const Fields kFields{
      field("node_types", &R::node_types, "The nodes that exist, counted by their type"),
      field("edge_types", &R::edge_types, "The edges between them, counted by their type"),
      field("components", &R::components,
            "Parts of the graph that no edge connects with one another; dormant edges do not "
            "count"),
      field("blocking_cycles", &R::blocking_cycles,
            "Rings of tasks that block one another, so that none of them can be ranked; the "
            "first 20"),
  };
  return kFields;
}

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

TopologyResult topology(Session& session, const TopologyRequest&) {
  const State& s = session.engine(Access::read).state();
  auto cost = costs(s, session.now());
  TopologyResult result;
  result.node_types = node_types(s);
  result.edge_types = edge_types(s, session.now());
  result.components = component_count(s, cost);
  result.blocking_cycles = blocking_cycles(s, std::move(cost));
  return result;
}

Operation topology_operation() {
  return operation<TopologyRequest, TopologyResult>(
      {.name = "topology",
       .command = "topology",
       .summary = "How many nodes and edges of which types there are, and what blocks itself",
       .example = "  hebb topology",
       .effect = Effect::reads,
       .path = "/topology"},
      topology);
}

// --- around one node -----------------------------------------------------------------------------

const Fields& NeighborhoodRequest::fields() {
  using R = NeighborhoodRequest;
  static const Fields kFields = with_presets<R>({
      field("id", &R::id, "The node in the middle",
            {.required = true, .positional = true, .option = "NODE"}),
      field("depth", &R::depth, "How many edges far", {.unit = "edges", .min = 0, .max = 64}),
  });
  return kFields;
}

const Fields& ReachedNode::fields() {
  using N = ReachedNode;
  static const Fields kFields{
      field("id", &N::id, "The node"),
      field("type", &N::type, "TASK, LABEL, …"),
      field("state", &N::state, "OPEN is a task to be ranked"),
      field("depth", &N::depth, "How many edges far it is from the middle"),
      field("reached_by", &N::reached_by,
            "The edge it was reached by: its place in `edges`, from 0; the middle has none"),
  };
  return kFields;
}

const Fields& NeighborhoodResult::fields() {
  using R = NeighborhoodResult;
  static const Fields kFields{
      field("nodes", &R::nodes, "The node in the middle, then the others, the nearest first"),
      field("edges", &R::edges, "All edges between these nodes that are not dormant"),
  };
  return kFields;
}

NeighborhoodResult neighborhood(Session& session, const NeighborhoodRequest& request) {
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

Operation neighborhood_operation() {
  return operation<NeighborhoodRequest, NeighborhoodResult>(
      {.name = "neighborhood",
       .command = "topology",
       .summary = "The nodes around a node, and the edges between them",
       .example = "  hebb topology task-7 --depth 3\n"
                  "  hebb topology task-7 --format dot | dot -Tsvg > task-7.svg",
       .effect = Effect::reads,
       .path = "/nodes/{id}/neighborhood",
       .problems = {ProblemType::not_found}},
      neighborhood);
}

}  // namespace hebb::api
