// That Graph is a model of the concepts it says it is, also when ids have been removed.
#include <random>
#include <vector>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/graph_concepts.hpp>
#include <boost/graph/page_rank.hpp>
#include <boost/property_map/property_map.hpp>
#include <catch2/catch.hpp>

#include "graph/bgl.h"

using hebb::graph::EdgeId;
using hebb::graph::Graph;
using hebb::graph::NodeId;

BOOST_CONCEPT_ASSERT((boost::GraphConcept<Graph>));
BOOST_CONCEPT_ASSERT((boost::VertexListGraphConcept<Graph>));
BOOST_CONCEPT_ASSERT((boost::EdgeListGraphConcept<Graph>));
BOOST_CONCEPT_ASSERT((boost::IncidenceGraphConcept<Graph>));
BOOST_CONCEPT_ASSERT((boost::BidirectionalGraphConcept<Graph>));
BOOST_CONCEPT_ASSERT((boost::ReadablePropertyGraphConcept<Graph, NodeId, boost::vertex_index_t>));
BOOST_CONCEPT_ASSERT((boost::ReadablePropertyGraphConcept<Graph, EdgeId, boost::edge_index_t>));
BOOST_CONCEPT_ASSERT((boost::PropertyGraphConcept<Graph, EdgeId, boost::edge_weight_t>));

namespace {

template <class Range>
std::vector<std::uint32_t> collect(Range range) {
  return {range.first, range.second};
}

}  // namespace

TEST_CASE("edges skip what was removed and keep the ids", "[graph][bgl]") {
  Graph g;
  for (const char* id : {"a", "b", "c", "d", "e"}) g.add_node(id);
  g.add_edge(1, 3, 0);
  g.add_edge(1, 3, 1);
  g.add_edge(3, 1, 0);
  g.add_edge(3, 3, 0);
  g.remove_edge(0);
  g.remove_edge(3);

  CHECK(collect(vertices(g)) == std::vector<NodeId>{0, 1, 2, 3, 4});
  CHECK(collect(edges(g)) == std::vector<EdgeId>{1, 2});
  CHECK(num_vertices(g) == 5);
  CHECK(num_edges(g) == 4);  // a bound: every index is below
  CHECK(out_degree(1, g) == 1);
  CHECK(in_degree(1, g) == 1);
  CHECK(degree(3, g) == 2);
  CHECK(collect(out_edges(1, g)) == std::vector<EdgeId>{1});
  CHECK(collect(in_edges(1, g)) == std::vector<EdgeId>{2});
  CHECK(source(2, g) == 3);
  CHECK(target(2, g) == 1);
  CHECK(get(boost::vertex_index, g, 3) == 3);
  CHECK(get(get(boost::edge_index, g), 2) == 2);
}

TEST_CASE("a graph whose every id was removed has no vertices", "[graph][bgl]") {
  Graph g;
  g.add_node("a");
  g.remove_nodes({true});
  CHECK(collect(vertices(g)).empty());
  CHECK(collect(edges(g)).empty());
}

TEST_CASE("the edge_weight map is the column", "[graph][bgl]") {
  Graph g;
  g.add_node("a");
  const EdgeId first = g.add_edge(0, 0, 0);
  const EdgeId second = g.add_edge(0, 0, 1);
  put(boost::edge_weight, g, first, 2.5);
  put(get(boost::edge_weight, g), second, 3.5);
  CHECK(g.edges().weight == std::vector<double>{2.5, 3.5});
  g.edges().weight[first] = 4.5;
  const Graph& constant = g;
  CHECK(get(boost::edge_weight, constant, first) == 4.5);
  CHECK(get(get(boost::edge_weight, constant), first) == 4.5);
}

TEST_CASE("page_rank runs unchanged and agrees with adjacency_list", "[graph][bgl]") {
  using List = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;
  constexpr NodeId kNodes = 50;
  Graph g;
  List list(kNodes);
  for (NodeId n = 0; n < kNodes; ++n) g.add_node(std::to_string(n));
  std::mt19937 random(31);
  for (int i = 0; i < 300; ++i) {
    const auto source = static_cast<NodeId>(random() % kNodes);
    const auto target = static_cast<NodeId>(random() % kNodes);
    if (g.find_edge(source, target, 0)) continue;
    g.add_edge(source, target, 0);
    add_edge(source, target, list);
  }
  std::vector<double> of_graph(kNodes), of_list(kNodes);
  boost::graph::page_rank(
      g, boost::make_iterator_property_map(of_graph.begin(), get(boost::vertex_index, g)));
  boost::graph::page_rank(
      list, boost::make_iterator_property_map(of_list.begin(), get(boost::vertex_index, list)));
  CHECK(of_graph == of_list);
  CHECK(of_graph[0] > 0);
}
