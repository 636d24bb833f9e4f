#include "engine/fold/blocking.h"

#include <algorithm>

#include "graph/algorithms.h"
#include "reward/evidence.h"

namespace hebb {

using graph::EdgeId;
using graph::Graph;
using graph::NodeId;

namespace {

using Pairs = std::vector<std::pair<std::string_view, std::string_view>>;

// Of edges by which an OPEN task blocks another, whose ends are its nodes.
Graph graph_of(Pairs edges) {
  std::sort(edges.begin(), edges.end());
  Graph blocking;
  const auto node = [&](std::string_view id) {
    const auto n = blocking.find_node(id);
    return n ? *n : blocking.add_node(id);
  };
  for (const auto& [source, target] : edges) {
    const NodeId from = node(source);
    blocking.add_edge(from, node(target), 0);
  }
  return blocking;
}

// What blocks what, and nothing else: the edges that a ranking heeds (reward::blockers), between
// OPEN tasks.
Graph blocking_graph(const State& s, TimeMs now) {
  const Graph& g = s.graph();
  const auto view = s.view();
  const reward::Kinds kinds(g);
  Pairs edges;
  const auto types = g.types();
  for (EdgeId e = 0; e < g.edge_bound(); ++e) {
    if (types[e] != kinds.blocks || !g.is_live_edge(e)) continue;
    if (!reward::is_open(view, kinds, g.source(e)) || !reward::is_open(view, kinds, g.target(e)))
      continue;
    if (reward::counting_weight(view, e, now) > 0) {
      edges.emplace_back(g.id(g.source(e)), g.id(g.target(e)));
    }
  }
  return graph_of(std::move(edges));
}

// Its edges between tasks that are blocked: all that can be part of a cycle.
Graph blocking_graph(const State& s, TimeMs now, std::vector<NodeId> blocked) {
  const Graph& g = s.graph();
  const auto view = s.view();
  const reward::Kinds kinds(g);
  std::sort(blocked.begin(), blocked.end());
  Pairs edges;
  for (const NodeId n : blocked) {
    for (const EdgeId e : g.in_edges(n)) {
      if (g.type(e) != kinds.blocks) continue;
      if (!std::binary_search(blocked.begin(), blocked.end(), g.source(e))) continue;
      if (reward::counting_weight(view, e, now) > 0) edges.emplace_back(g.id(g.source(e)), g.id(n));
    }
  }
  return graph_of(std::move(edges));
}

std::vector<double> any_edge(const Graph& g) { return std::vector<double>(g.edge_bound(), 1.0); }

void append_sources(const Graph& g, const std::vector<EdgeId>& edges,
                    std::vector<std::string>& ids) {
  for (const EdgeId e : edges) ids.emplace_back(g.id(g.source(e)));
}

}  // namespace

std::vector<std::string> blocking_cycle(const State& s, TimeMs now, std::vector<NodeId> blocked) {
  const Graph blocking = blocking_graph(s, now, std::move(blocked));
  std::vector<std::string> ids;
  if (const auto cycle = graph::find_cycle(blocking, any_edge(blocking))) {
    append_sources(blocking, *cycle, ids);
  }
  return ids;
}

std::vector<std::string> blocking_cycle(const State& s, TimeMs now) {
  const auto view = s.view();
  const reward::Kinds kinds(s.graph());
  std::vector<NodeId> blocked;
  for (NodeId n = 0; n < s.graph().node_bound(); ++n) {
    if (n != s.frontier() && reward::is_open(view, kinds, n) &&
        !reward::blockers(view, n, now).empty()) {
      blocked.push_back(n);
    }
  }
  return blocking_cycle(s, now, std::move(blocked));
}

std::vector<std::string> blocking_cycle(const State& s, TimeMs now, std::string_view source,
                                        std::string_view target) {
  const Graph blocking = blocking_graph(s, now);
  const auto from = blocking.find_node(source), to = blocking.find_node(target);
  if (!from || !to) return {};
  const auto back = graph::shortest_path(blocking, *to, *from, any_edge(blocking));
  if (!back) return {};
  std::vector<std::string> ids{std::string(source)};
  append_sources(blocking, *back, ids);
  return ids;
}

}  // namespace hebb
