// Makes Graph a model of Boost.Graph's VertexListGraph, EdgeListGraph and BidirectionalGraph, with
// property maps for vertex_index, edge_index and edge_weight.
//
// Vertices are NodeIds, edges EdgeIds, and vertex_index is the NodeId itself. Removed edges are
// skipped by edges() but not renumbered; as in boost::filtered_graph, num_edges() is therefore the
// bound of the ids: algorithms size arrays by it. Graph::num_edges() counts the live ones.
//
// Costs seconds to compile: include it in algorithms.cc and in tests only.
#pragma once

#include <utility>

#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/iterator_facade.hpp>
#include <boost/property_map/property_map.hpp>

#include "graph/graph.h"

namespace hebb::graph {

using NodeIterator = boost::counting_iterator<NodeId>;

// Ids from 0 up to a bound, without those of removed edges.
class EdgeIterator
    : public boost::iterator_facade<EdgeIterator, EdgeId, boost::forward_traversal_tag, EdgeId> {
 public:
  EdgeIterator() = default;
  EdgeIterator(const Graph& g, EdgeId id, EdgeId bound) : graph_(&g), id_(id), bound_(bound) {
    skip_removed();
  }

 private:
  friend class boost::iterator_core_access;

  EdgeId dereference() const { return id_; }
  bool equal(const EdgeIterator& other) const { return id_ == other.id_; }
  void increment() {
    ++id_;
    skip_removed();
  }
  void skip_removed() {
    while (id_ < bound_ && !graph_->is_live_edge(id_)) ++id_;
  }

  const Graph* graph_ = nullptr;
  EdgeId id_ = 0;
  EdgeId bound_ = 0;
};

struct BglTraversal : boost::vertex_list_graph_tag,
                      boost::edge_list_graph_tag,
                      boost::bidirectional_graph_tag {};

}  // namespace hebb::graph

namespace boost {

template <>
struct graph_traits<hebb::graph::Graph> {
  using vertex_descriptor = hebb::graph::NodeId;
  using edge_descriptor = hebb::graph::EdgeId;
  using directed_category = bidirectional_tag;
  using edge_parallel_category = allow_parallel_edge_tag;
  using traversal_category = hebb::graph::BglTraversal;
  using vertices_size_type = std::size_t;
  using edges_size_type = std::size_t;
  using degree_size_type = std::size_t;
  using vertex_iterator = hebb::graph::NodeIterator;
  using edge_iterator = hebb::graph::EdgeIterator;
  using out_edge_iterator = const hebb::graph::EdgeId*;
  using in_edge_iterator = const hebb::graph::EdgeId*;
  using adjacency_iterator = void;
  static vertex_descriptor null_vertex() { return hebb::graph::kNoNode; }
};

template <>
struct property_map<hebb::graph::Graph, vertex_index_t> {
  using type = typed_identity_property_map<hebb::graph::NodeId>;
  using const_type = type;
};

template <>
struct property_map<hebb::graph::Graph, edge_index_t> {
  using type = typed_identity_property_map<hebb::graph::EdgeId>;
  using const_type = type;
};

template <>
struct property_map<hebb::graph::Graph, edge_weight_t> {
  using type = iterator_property_map<double*, typed_identity_property_map<hebb::graph::EdgeId>>;
  using const_type =
      iterator_property_map<const double*, typed_identity_property_map<hebb::graph::EdgeId>, double,
                            const double&>;
};

}  // namespace boost

namespace hebb::graph {

using Bgl = boost::graph_traits<Graph>;

inline std::pair<NodeIterator, NodeIterator> vertices(const Graph& g) {
  return {NodeIterator(0), NodeIterator(g.node_bound())};
}
inline std::pair<EdgeIterator, EdgeIterator> edges(const Graph& g) {
  const EdgeId bound = g.edge_bound();
  return {EdgeIterator(g, 0, bound), EdgeIterator(g, bound, bound)};
}
inline std::size_t num_vertices(const Graph& g) { return g.node_bound(); }
inline std::size_t num_edges(const Graph& g) { return g.edge_bound(); }

inline NodeId source(EdgeId e, const Graph& g) { return g.source(e); }
inline NodeId target(EdgeId e, const Graph& g) { return g.target(e); }

inline std::pair<const EdgeId*, const EdgeId*> out_edges(NodeId n, const Graph& g) {
  const auto list = g.out_edges(n);
  return {list.data(), list.data() + list.size()};
}
inline std::pair<const EdgeId*, const EdgeId*> in_edges(NodeId n, const Graph& g) {
  const auto list = g.in_edges(n);
  return {list.data(), list.data() + list.size()};
}
inline std::size_t out_degree(NodeId n, const Graph& g) { return g.out_edges(n).size(); }
inline std::size_t in_degree(NodeId n, const Graph& g) { return g.in_edges(n).size(); }
inline std::size_t degree(NodeId n, const Graph& g) { return out_degree(n, g) + in_degree(n, g); }

inline auto get(boost::vertex_index_t, const Graph&) {
  return boost::property_map<Graph, boost::vertex_index_t>::const_type();
}
inline auto get(boost::edge_index_t, const Graph&) {
  return boost::property_map<Graph, boost::edge_index_t>::const_type();
}
inline auto get(boost::edge_weight_t, Graph& g) {
  return boost::property_map<Graph, boost::edge_weight_t>::type(g.edges().weight.data());
}
inline auto get(boost::edge_weight_t, const Graph& g) {
  return boost::property_map<Graph, boost::edge_weight_t>::const_type(g.edges().weight.data());
}
inline NodeId get(boost::vertex_index_t, const Graph&, NodeId n) { return n; }
inline EdgeId get(boost::edge_index_t, const Graph&, EdgeId e) { return e; }
inline double get(boost::edge_weight_t, const Graph& g, EdgeId e) { return g.edges().weight[e]; }
inline void put(boost::edge_weight_t, Graph& g, EdgeId e, double weight) {
  g.edges().weight[e] = weight;
}

}  // namespace hebb::graph
