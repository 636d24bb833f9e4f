// What each algorithm finds on small graphs written by hand, and on one very long chain.
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <catch2/catch.hpp>

#include "graph/algorithms.h"

using namespace hebb::graph;
using Path = std::vector<EdgeId>;

namespace {

constexpr double kUnusable = std::numeric_limits<double>::infinity();

// Nodes a, b, c … and edges by their letters. Nodes 0 and 1 are removed ones, so that nothing may
// take an id for a position among the live.
struct Fixture {
  Graph g;
  std::vector<double> cost;

  explicit Fixture(int nodes) {
    g.add_node("without edges 0");
    g.add_node("without edges 1");
    g.add_edge(0, 1, 0);
    g.add_edge(1, 0, 0);
    cost = {0, 0};
    for (int i = 0; i < nodes; ++i) g.add_node(std::string(1, static_cast<char>('a' + i)));
    g.remove_edge(0);
    g.remove_edge(1);
  }

  NodeId node(char id) const { return *g.find_node(std::string_view(&id, 1)); }

  EdgeId edge(char source, char target, double c = 1, TypeId type = 0) {
    const EdgeId e = g.add_edge(node(source), node(target), type);
    cost.resize(g.edge_bound());
    cost[e] = c;
    return e;
  }
};

}  // namespace

TEST_CASE("shortest_path takes the cheapest way, not the shortest", "[graph][algorithms]") {
  Fixture f(4);
  f.edge('a', 'd', 10);
  const EdgeId ab = f.edge('a', 'b', 1);
  const EdgeId bc = f.edge('b', 'c', 2);
  const EdgeId cd = f.edge('c', 'd', 3);
  CHECK(shortest_path(f.g, f.node('a'), f.node('d'), f.cost) == Path{ab, bc, cd});
  CHECK(shortest_path(f.g, f.node('b'), f.node('d'), f.cost) == Path{bc, cd});
}

TEST_CASE("shortest_path: same node, no way, against the direction", "[graph][algorithms]") {
  Fixture f(3);
  f.edge('a', 'b');
  f.edge('a', 'a');
  CHECK(shortest_path(f.g, f.node('a'), f.node('a'), f.cost) == Path{});
  CHECK_FALSE(shortest_path(f.g, f.node('a'), f.node('c'), f.cost));
  CHECK_FALSE(shortest_path(f.g, f.node('b'), f.node('a'), f.cost));
}

TEST_CASE("shortest_path: the cheaper of parallel edges, and none that is unusable",
          "[graph][algorithms]") {
  Fixture f(3);
  f.edge('a', 'b', 5, 0);
  const EdgeId cheap = f.edge('a', 'b', 2, 1);
  f.edge('a', 'b', kUnusable, 2);
  const EdgeId bc = f.edge('b', 'c', 0);
  CHECK(shortest_path(f.g, f.node('a'), f.node('c'), f.cost) == Path{cheap, bc});
  f.cost[bc] = kUnusable;
  CHECK_FALSE(shortest_path(f.g, f.node('a'), f.node('c'), f.cost));
}

TEST_CASE("components ignore direction and unusable edges", "[graph][algorithms]") {
  Fixture f(6);
  f.edge('d', 'a');
  f.edge('a', 'b', kUnusable);
  f.edge('c', 'b');
  f.edge('e', 'e');
  const Components parts = components(f.g, f.cost);
  REQUIRE(parts.of_node.size() == f.g.node_bound());
  CHECK(parts.count == 6);
  // Two that stand alone, then a and d, then b and c, then e, then f.
  CHECK(parts.of_node == std::vector<NodeId>{0, 1, 2, 3, 3, 2, 4, 5});
}

TEST_CASE("components of nothing", "[graph][algorithms]") {
  const Graph g;
  const Components parts = components(g, {});
  CHECK(parts.count == 0);
  CHECK(parts.of_node.empty());
}

TEST_CASE("find_cycle: none in a diamond", "[graph][algorithms]") {
  Fixture f(4);
  f.edge('a', 'b');
  f.edge('a', 'c');
  f.edge('b', 'd');
  f.edge('c', 'd');
  CHECK_FALSE(find_cycle(f.g, f.cost));
}

TEST_CASE("find_cycle gives the cycle alone, in order", "[graph][algorithms]") {
  Fixture f(5);
  f.edge('a', 'b');
  const EdgeId bc = f.edge('b', 'c');
  const EdgeId cd = f.edge('c', 'd');
  const EdgeId db = f.edge('d', 'b');
  f.edge('d', 'e');
  CHECK(find_cycle(f.g, f.cost) == Path{bc, cd, db});
  f.cost[cd] = kUnusable;
  CHECK_FALSE(find_cycle(f.g, f.cost));
}

TEST_CASE("find_cycle: an edge to itself, and two nodes", "[graph][algorithms]") {
  Fixture f(3);
  f.edge('a', 'b');
  const EdgeId loop = f.edge('b', 'b');
  CHECK(find_cycle(f.g, f.cost) == Path{loop});
  f.cost[loop] = kUnusable;
  const EdgeId bc = f.edge('b', 'c');
  const EdgeId cb = f.edge('c', 'b');
  CHECK(find_cycle(f.g, f.cost) == Path{bc, cb});
}

TEST_CASE("a chain of a hundred thousand nodes does not exhaust the stack", "[graph][algorithms]") {
  constexpr NodeId kNodes = 100000;
  Graph g;
  g.reserve(kNodes, kNodes);
  for (NodeId n = 0; n < kNodes; ++n) g.add_node(std::to_string(n));
  for (NodeId n = 0; n + 1 < kNodes; ++n) g.add_edge(n, n + 1, 0);
  std::vector<double> cost(g.edge_bound(), 1.0);
  CHECK_FALSE(find_cycle(g, cost));
  CHECK(components(g, cost).count == 1);
  const auto path = shortest_path(g, 0, kNodes - 1, cost);
  REQUIRE(path);
  CHECK(path->size() == kNodes - 1);
  g.add_edge(kNodes - 1, 0, 0);
  cost.push_back(1);
  const auto cycle = find_cycle(g, cost);
  REQUIRE(cycle);
  CHECK(cycle->size() == kNodes);
}
