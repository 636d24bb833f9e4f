// Seeded random operations on Graph and on a boost::adjacency_list with its properties inside, side
// by side; everything that can be asked of both is compared, and what Boost's algorithms find.
#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/topological_sort.hpp>
#include <boost/range/iterator_range.hpp>
#include <catch2/catch.hpp>

#include "graph/algorithms.h"
#include "graph/bgl.h"

using namespace hebb::graph;

namespace {

struct NodeRow {
  std::size_t index = 0;  // among the model's vertices, set before an algorithm runs
  NodeId id = 0;
  std::string name;
  TypeId type = 0, state = 0;
  TimeMs created_at = kNever, completed_at = kNever;
};
struct EdgeRow {
  EdgeId id = 0;
  TypeId type = 0;
  double weight = 0, gained = 0;
  TimeMs touched_at = 0;
};
// Descriptors of listS vertices and of edges are stable, and vecS out-edges keep their order.
using Model =
    boost::adjacency_list<boost::vecS, boost::listS, boost::bidirectionalS, NodeRow, EdgeRow>;
using ModelNode = Model::vertex_descriptor;
using ModelEdge = Model::edge_descriptor;
using Undirected = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

class SideBySide {
 public:
  explicit SideBySide(unsigned seed) : random_(seed) {
    for (const char* type : {"one", "two", "three"}) g_.edge_types().intern(type);
  }

  void step() {
    const auto dice = below(100);
    if (model_nodes_.size() < 2 || dice < 8) {
      add_node();
    } else if (dice < 50) {
      add_edge();
    } else if (dice < 68) {
      remove_edge();
    } else if (dice < 72) {
      remove_node();
    } else {
      write_columns();
    }
  }

  void compare_all() {
    compare_counts();
    compare_nodes();
    compare_lookups();
  }

  void compare_algorithms() {
    if (model_nodes_.empty()) return;
    number_model();
    const ModelNode start = model_nodes_[below(model_nodes_.size())];
    compare_dijkstra(start);
    compare_breadth_first(start);
    compare_undirected();
    compare_cycle();
  }

 private:
  unsigned below(std::size_t n) { return static_cast<unsigned>(random_() % n); }
  ModelNode any_node() { return model_nodes_[below(model_nodes_.size())]; }

  std::optional<ModelEdge> model_find(ModelNode source, ModelNode target, TypeId type) const {
    for (const ModelEdge e : boost::make_iterator_range(boost::out_edges(source, model_))) {
      if (boost::target(e, model_) == target && model_[e].type == type) return e;
    }
    return std::nullopt;
  }

  void add_node() {
    const std::string name = "node " + std::to_string(below(40));
    const auto known = g_.find_node(name);
    const auto twin = std::find_if(model_nodes_.begin(), model_nodes_.end(),
                                   [&](ModelNode n) { return model_[n].name == name; });
    REQUIRE(known.has_value() == (twin != model_nodes_.end()));
    if (known) {
      REQUIRE(*known == model_[*twin].id);
      return;
    }
    const ModelNode n = boost::add_vertex(model_);
    model_[n].id = g_.add_node(name);
    model_[n].name = name;
    model_nodes_.push_back(n);
  }

  void add_edge() {
    const ModelNode source = any_node();
    const ModelNode target = any_node();
    const auto type = static_cast<TypeId>(below(3));
    const auto known = g_.find_edge(model_[source].id, model_[target].id, type);
    const auto twin = model_find(source, target, type);
    REQUIRE(known.has_value() == twin.has_value());
    if (known) {
      REQUIRE(*known == model_[*twin].id);
      return;
    }
    const auto e = boost::add_edge(source, target, model_).first;
    model_[e].id = g_.add_edge(model_[source].id, model_[target].id, type);
    model_[e].type = type;
    g_.edges().weight[model_[e].id] = model_[e].weight = below(10);
  }

  void remove_edge() {
    const auto [begin, end] = boost::edges(model_);
    if (begin == end) return;
    const auto e = *std::next(begin, below(boost::num_edges(model_)));
    g_.remove_edge(model_[e].id);
    boost::remove_edge(e, model_);
  }

  void remove_node() {
    const auto at = model_nodes_.begin() + below(model_nodes_.size());
    const NodeId n = model_[*at].id;
    while (!g_.out_edges(n).empty()) g_.remove_edge(g_.out_edges(n).front());
    while (!g_.in_edges(n).empty()) g_.remove_edge(g_.in_edges(n).back());
    boost::clear_vertex(*at, model_);
    boost::remove_vertex(*at, model_);
    model_nodes_.erase(at);
    std::vector<bool> removed(g_.node_bound());
    removed[n] = true;
    const std::vector<NodeId> ids = g_.remove_nodes(removed);
    REQUIRE(ids[n] == kNoNode);
    REQUIRE(g_.edge_bound() == g_.num_edges());
    for (const ModelNode left : model_nodes_) model_[left].id = ids[model_[left].id];
    for (const ModelEdge e : boost::make_iterator_range(boost::edges(model_))) {
      const auto source = model_[boost::source(e, model_)].id;
      model_[e].id = *g_.find_edge(source, model_[boost::target(e, model_)].id, model_[e].type);
    }
  }

  void write_columns() {
    NodeRow& row = model_[any_node()];
    g_.nodes().type[row.id] = row.type = static_cast<TypeId>(below(9));
    g_.nodes().state[row.id] = row.state = static_cast<TypeId>(below(9));
    g_.nodes().created_at[row.id] = row.created_at = below(1000);
    g_.nodes().completed_at[row.id] = row.completed_at = below(1000);
    const auto [begin, end] = boost::edges(model_);
    if (begin == end) return;
    EdgeRow& edge = model_[*std::next(begin, below(boost::num_edges(model_)))];
    g_.edges().weight[edge.id] = edge.weight = below(10);  // whole numbers: sums are exact
    g_.edges().gained[edge.id] = edge.gained = below(10);
    g_.edges().touched_at[edge.id] = edge.touched_at = below(1000);
  }

  void compare_counts() const {
    REQUIRE(g_.num_nodes() == boost::num_vertices(model_));
    REQUIRE(g_.num_edges() == boost::num_edges(model_));
    const auto [n, n_end] = vertices(g_);
    REQUIRE(static_cast<std::size_t>(std::distance(n, n_end)) == g_.num_nodes());
    const auto [e, e_end] = edges(g_);
    REQUIRE(static_cast<std::size_t>(std::distance(e, e_end)) == g_.num_edges());
    for (const auto* column : {&g_.edges().weight, &g_.edges().gained}) {
      REQUIRE(column->size() == g_.edge_bound());
    }
    REQUIRE(g_.nodes().deleted_at.size() == g_.node_bound());
  }

  void compare_nodes() const {
    for (const ModelNode n : model_nodes_) {
      const NodeRow& row = model_[n];
      REQUIRE(row.id < g_.node_bound());
      REQUIRE(g_.id(row.id) == row.name);
      REQUIRE(g_.find_node(row.name) == row.id);
      REQUIRE(g_.nodes().type[row.id] == row.type);
      REQUIRE(g_.nodes().state[row.id] == row.state);
      REQUIRE(g_.nodes().created_at[row.id] == row.created_at);
      REQUIRE(g_.nodes().completed_at[row.id] == row.completed_at);
      REQUIRE(g_.nodes().deleted_at[row.id] == kNever);
      REQUIRE(out_degree(row.id, g_) == boost::out_degree(n, model_));
      REQUIRE(in_degree(row.id, g_) == boost::in_degree(n, model_));
      auto out = g_.out_edges(row.id).begin();
      for (const ModelEdge e : boost::make_iterator_range(boost::out_edges(n, model_))) {
        REQUIRE(*out++ == model_[e].id);
        compare_edge(e);
      }
      auto in = g_.in_edges(row.id).begin();
      for (const ModelEdge e : boost::make_iterator_range(boost::in_edges(n, model_))) {
        REQUIRE(*in++ == model_[e].id);
      }
    }
  }

  void compare_edge(ModelEdge e) const {
    const EdgeRow& row = model_[e];
    const NodeId source = model_[boost::source(e, model_)].id;
    const NodeId target = model_[boost::target(e, model_)].id;
    REQUIRE(g_.is_live_edge(row.id));
    REQUIRE(g_.source(row.id) == source);
    REQUIRE(g_.target(row.id) == target);
    REQUIRE(g_.type(row.id) == row.type);
    REQUIRE(g_.sources()[row.id] == source);
    REQUIRE(g_.targets()[row.id] == target);
    REQUIRE(g_.types()[row.id] == row.type);
    REQUIRE(g_.edges().weight[row.id] == row.weight);
    REQUIRE(g_.edges().gained[row.id] == row.gained);
    REQUIRE(g_.edges().touched_at[row.id] == row.touched_at);
    REQUIRE(g_.find_edge(source, target, row.type) == row.id);
  }

  void compare_lookups() {
    for (int i = 0; i < 20 && !model_nodes_.empty(); ++i) {
      const ModelNode source = any_node();
      const ModelNode target = any_node();
      const auto type = static_cast<TypeId>(below(4));
      const auto twin = model_find(source, target, type);
      const auto found = g_.find_edge(model_[source].id, model_[target].id, type);
      REQUIRE(found == (twin ? std::optional(model_[*twin].id) : std::nullopt));
    }
  }

  void number_model() {
    std::size_t index = 0;
    for (const ModelNode n : boost::make_iterator_range(boost::vertices(model_))) {
      model_[n].index = index++;
    }
  }

  void compare_dijkstra(ModelNode start) {
    const auto index = boost::get(&NodeRow::index, model_);
    std::vector<double> of_model(model_nodes_.size());
    boost::dijkstra_shortest_paths(
        model_, start,
        boost::weight_map(boost::get(&EdgeRow::weight, model_))
            .vertex_index_map(index)
            .distance_map(boost::make_iterator_property_map(of_model.begin(), index)));
    std::vector<double> of_graph(g_.node_bound());
    const Graph& g = g_;
    boost::dijkstra_shortest_paths(g, model_[start].id,
                                   boost::distance_map(boost::make_iterator_property_map(
                                       of_graph.begin(), get(boost::vertex_index, g))));
    for (const ModelNode n : model_nodes_) {
      const NodeRow& row = model_[n];
      REQUIRE(of_graph[row.id] == of_model[row.index]);
      const auto path = shortest_path(g_, model_[start].id, row.id, g_.edges().weight);
      const bool reachable = of_model[row.index] < std::numeric_limits<double>::max();
      REQUIRE(path.has_value() == reachable);
      if (path) compare_path(*path, model_[start].id, row.id, of_model[row.index]);
    }
  }

  void compare_path(const std::vector<EdgeId>& path, NodeId from, NodeId to, double cost) const {
    double total = 0;
    NodeId at = from;
    for (const EdgeId e : path) {
      REQUIRE(g_.source(e) == at);
      at = g_.target(e);
      total += g_.edges().weight[e];
    }
    REQUIRE(at == to);
    REQUIRE(total == cost);
  }

  void compare_breadth_first(ModelNode start) const {
    struct Order : boost::default_bfs_visitor {
      std::vector<NodeId>* to = nullptr;
      void discover_vertex(NodeId n, const Graph&) const { to->push_back(n); }
      void discover_vertex(ModelNode n, const Model& m) const { to->push_back(m[n].id); }
    };
    std::vector<NodeId> of_graph, of_model;
    Order visitor;
    visitor.to = &of_graph;
    boost::breadth_first_search(g_, model_[start].id, boost::visitor(visitor));
    visitor.to = &of_model;
    boost::breadth_first_search(
        model_, start,
        boost::visitor(visitor).vertex_index_map(boost::get(&NodeRow::index, model_)));
    REQUIRE(of_graph == of_model);
  }

  // Components, without direction and over a part of the edges.
  void compare_undirected() {
    std::vector<double> cost(g_.edge_bound(), 1.0);
    Undirected undirected(model_nodes_.size());
    for (const ModelEdge e : boost::make_iterator_range(boost::edges(model_))) {
      if (below(3) != 0) {
        cost[model_[e].id] = kInfinity;
        continue;
      }
      boost::add_edge(model_[boost::source(e, model_)].index,
                      model_[boost::target(e, model_)].index, undirected);
    }
    std::vector<int> component(model_nodes_.size());
    const auto index = boost::get(boost::vertex_index, undirected);
    const int count = boost::connected_components(
        undirected, boost::make_iterator_property_map(component.begin(), index));
    const Components parts = components(g_, cost);
    REQUIRE(parts.count == static_cast<std::size_t>(count));
    std::map<NodeId, int> pairs;  // the numbers may differ, who is together may not
    for (const ModelNode n : model_nodes_) {
      const int expected = component[model_[n].index];
      REQUIRE(parts.of_node[model_[n].id] < parts.count);
      REQUIRE(pairs.emplace(parts.of_node[model_[n].id], expected).first->second == expected);
    }
    for (NodeId n = 0; n < g_.node_bound(); ++n) {
      REQUIRE(parts.of_node[n] < parts.count);
    }
  }

  // Over a part of the edges, few enough for both answers to occur.
  void compare_cycle() {
    std::vector<double> cost(g_.edge_bound(), kInfinity);
    for (const ModelEdge e : boost::make_iterator_range(boost::edges(model_))) {
      if (below(4) == 0) cost[model_[e].id] = 0;
    }
    const auto usable = [&](ModelEdge e) { return cost[model_[e].id] == 0; };
    const boost::filtered_graph<Model, std::function<bool(ModelEdge)>> filtered(model_, usable);
    bool acyclic = true;
    try {
      std::vector<ModelNode> order;
      boost::topological_sort(
          filtered, std::back_inserter(order),
          boost::vertex_index_map(boost::get(&NodeRow::index, std::as_const(model_))));
    } catch (const boost::not_a_dag&) {
      acyclic = false;
    }
    const auto cycle = find_cycle(g_, cost);
    REQUIRE(cycle.has_value() == !acyclic);
    if (!cycle) return;
    for (std::size_t i = 0; i < cycle->size(); ++i) {
      REQUIRE(cost[(*cycle)[i]] == 0);
      REQUIRE(g_.target((*cycle)[i]) == g_.source((*cycle)[(i + 1) % cycle->size()]));
    }
  }

  std::mt19937 random_;
  Graph g_;
  Model model_;
  std::vector<ModelNode> model_nodes_;
};

}  // namespace

TEST_CASE("Graph does what an adjacency_list does", "[graph]") {
  const unsigned seed = GENERATE(range(1u, 13u));
  CAPTURE(seed);
  SideBySide both(seed);
  for (int step = 0; step < 2000; ++step) {
    CAPTURE(step);
    both.step();
    if (step % 20 == 0) both.compare_all();
    if (step % 100 == 0) both.compare_algorithms();
  }
  both.compare_all();
  both.compare_algorithms();
}
