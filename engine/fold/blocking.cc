#include "engine/fold/blocking.h"

#include <algorithm>
#include <unordered_set>

#include "graph/algorithms.h"
#include "reward/evidence.h"

namespace hebb {

using graph::EdgeId;
using graph::Graph;
using graph::NodeId;

namespace {

struct Block {
  NodeId source, target;
};

// The edges by which unfinished tasks block those that are given, and these in turn, as far as it
// goes back.
std::vector<Block> blocks_before(const State& s, TimeMs now, std::vector<NodeId> waiting) {
  const Graph& g = s.graph();
  const auto view = s.view();
  const reward::Kinds kinds(g);
  std::unordered_set<NodeId> met(waiting.begin(), waiting.end());
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    const NodeId n = waiting[i];
    for (const EdgeId e : g.in_edges(n)) {
      const NodeId source = g.source(e);
      if (g.type(e) != kinds.blocks || !reward::is_unfinished(view, kinds, source)) continue;
      if (reward::counting_weight(view, e, now) == 0) continue;
      blocks.push_back({source, n});
      if (met.insert(source).second) waiting.push_back(source);
    }
  }
  return blocks;
}

// Of such edges those whose source is blocked itself, as each is that is part of a cycle. The ids
// are in their own order, so that what is found does not depend on that of the edges.
Graph graph_of(const Graph& g, const std::vector<Block>& blocks) {
  std::unordered_set<NodeId> blocked;
  for (const Block& block : blocks) blocked.insert(block.target);
  std::vector<std::pair<std::string_view, std::string_view>> edges;
  for (const Block& block : blocks) {
    if (blocked.contains(block.source)) edges.emplace_back(g.id(block.source), g.id(block.target));
  }
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

std::vector<double> any_edge(const Graph& g) { return std::vector<double>(g.edge_bound(), 1.0); }

void append_sources(const Graph& g, const std::vector<EdgeId>& edges,
                    std::vector<std::string>& ids) {
  for (const EdgeId e : edges) ids.emplace_back(g.id(g.source(e)));
}

}  // namespace

std::vector<std::string> blocking_cycle(const State& s, TimeMs now, std::vector<NodeId> blocked) {
  const Graph blocking = graph_of(s.graph(), blocks_before(s, now, std::move(blocked)));
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
  const auto n = s.find(source);
  if (!n) return {};
  const Graph blocking = graph_of(s.graph(), blocks_before(s, now, {*n}));
  const auto from = blocking.find_node(source), to = blocking.find_node(target);
  if (!from || !to || !blocking.find_edge(*from, *to, 0)) return {};
  const auto back = graph::shortest_path(blocking, *to, *from, any_edge(blocking));
  if (!back) return {};
  std::vector<std::string> ids{std::string(source)};
  append_sources(blocking, *back, ids);
  return ids;
}

}  // namespace hebb
