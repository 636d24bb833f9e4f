#include "graph/algorithms.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include <boost/graph/depth_first_search.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/pending/disjoint_sets.hpp>

#include "graph/bgl.h"

namespace hebb::graph {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// An edge predicate for filtered_graph, which sometimes default-constructs one.
struct Usable {
  std::span<const double> cost;
  bool operator()(EdgeId e) const {
    if (e >= cost.size()) throw_damaged();
    return std::isfinite(cost[e]);
  }
};
using UsableGraph = boost::filtered_graph<Graph, Usable>;

template <class T>
auto by_node(std::vector<T>& values) {
  return boost::make_iterator_property_map(values.begin(),
                                           boost::typed_identity_property_map<NodeId>());
}

// The edges that lead to `last` in order, following `by` back until a node has none or is `first`.
std::vector<EdgeId> trace_back(const Graph& g, const std::vector<EdgeId>& by, NodeId last,
                               NodeId first) {
  std::vector<EdgeId> path;
  for (NodeId n = last; n != first && by[n] != kNoNode; n = g.source(by[n])) {
    if (path.size() == g.node_bound()) throw_damaged();  // a ring, which no search leaves behind
    path.push_back(by[n]);
  }
  std::reverse(path.begin(), path.end());
  return path;
}

// PathVisitor records the edge by which each node is reached, and throws this to stop early.
struct TargetReached {};
class PathVisitor : public boost::default_dijkstra_visitor {
 public:
  PathVisitor(NodeId target, std::vector<EdgeId>& by) : target_(target), by_(&by) {}

  void examine_vertex(NodeId n, const UsableGraph&) const {
    if (n == target_) throw TargetReached{};
  }
  void edge_relaxed(EdgeId e, const UsableGraph& g) const { (*by_)[boost::target(e, g)] = e; }

 private:
  NodeId target_;
  std::vector<EdgeId>* by_;
};

struct CycleClosed {
  EdgeId by;
};
class CycleVisitor : public boost::default_dfs_visitor {
 public:
  explicit CycleVisitor(std::vector<EdgeId>& by) : by_(&by) {}

  void tree_edge(EdgeId e, const UsableGraph& g) const { (*by_)[boost::target(e, g)] = e; }
  void back_edge(EdgeId e, const UsableGraph&) const { throw CycleClosed{e}; }

 private:
  std::vector<EdgeId>* by_;
};

}  // namespace

std::optional<std::vector<EdgeId>> shortest_path(const Graph& g, NodeId source, NodeId target,
                                                 std::span<const double> cost) {
  assert(source < g.node_bound() && target < g.node_bound() && cost.size() >= g.edge_bound());
  const UsableGraph usable(g, Usable{cost});
  std::vector<EdgeId> by(g.node_bound(), kNoNode);
  std::vector<double> distance(g.node_bound(), kInfinity);
  std::vector<boost::default_color_type> color(g.node_bound());
  distance[source] = 0;
  try {
    boost::dijkstra_shortest_paths_no_init(
        usable, source, boost::dummy_property_map(), by_node(distance),
        boost::make_iterator_property_map(cost.data(), get(boost::edge_index, g)),
        get(boost::vertex_index, g), std::less<double>(), boost::closed_plus<double>(kInfinity),
        0.0, PathVisitor(target, by), by_node(color));
  } catch (const TargetReached&) {
    return trace_back(g, by, target, source);
  }
  return std::nullopt;
}

Components components(const Graph& g, std::span<const double> cost) {
  assert(cost.size() >= g.edge_bound());
  std::vector<NodeId> rank(g.node_bound(), 0);
  std::vector<NodeId> parent(g.node_bound());
  boost::disjoint_sets sets(by_node(rank), by_node(parent));
  for (NodeId n = 0; n < g.node_bound(); ++n) sets.make_set(n);
  for (EdgeId e = 0; e < g.edge_bound(); ++e) {
    if (g.is_live_edge(e) && std::isfinite(cost[e])) sets.union_set(g.source(e), g.target(e));
  }

  Components result;
  result.of_node.assign(g.node_bound(), kNoNode);
  std::vector<NodeId>& number = rank;  // reused: the component number of each set's representative
  std::fill(number.begin(), number.end(), kNoNode);
  for (NodeId n = 0; n < g.node_bound(); ++n) {
    NodeId& of_set = number[sets.find_set(n)];
    if (of_set == kNoNode) of_set = static_cast<NodeId>(result.count++);
    result.of_node[n] = of_set;
  }
  return result;
}

std::optional<std::vector<EdgeId>> find_cycle(const Graph& g, std::span<const double> cost) {
  assert(cost.size() >= g.edge_bound());
  const UsableGraph usable(g, Usable{cost});
  std::vector<EdgeId> by(g.node_bound(), kNoNode);
  std::vector<boost::default_color_type> color(g.node_bound());
  try {
    for (auto [n, end] = vertices(g); n != end; ++n) {
      if (color[*n] != boost::white_color) continue;
      boost::depth_first_visit(usable, *n, CycleVisitor(by), by_node(color));
    }
  } catch (const CycleClosed& closed) {
    auto cycle = trace_back(g, by, g.source(closed.by), g.target(closed.by));
    cycle.push_back(closed.by);
    return cycle;
  }
  return std::nullopt;
}

}  // namespace hebb::graph
