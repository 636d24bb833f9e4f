// Columns and texts: owned, as a view, and a view that is outgrown; a graph that is packed and
// unpacked.
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "graph/column.h"
#include "graph/graph.h"
#include "graph/texts.h"
#include "graph/vectors.h"

using namespace hebb::graph;

TEST_CASE("column: grows, keeps its values, and compares", "[graph][column]") {
  Column<int> column;
  CHECK(column.empty());
  std::vector<int> model;
  for (int i = 0; i < 1000; ++i) {
    column.push_back(i * 3);
    model.push_back(i * 3);
  }
  CHECK(column == model);
  column.resize(1500, 7);
  model.resize(1500, 7);
  CHECK(column == model);
  const Column<int> copy = column;
  column[0] = 1;
  CHECK(copy[0] == 0);
  Column<int> moved = std::move(column);
  CHECK(moved[0] == 1);
  CHECK(moved.size() == 1500);
}

TEST_CASE("column: a view is written in place until it is outgrown", "[graph][column]") {
  std::vector<int> memory{1, 2, 3, 99, 99};
  Column<int> column;
  column.view(memory.data(), 3, 4);
  CHECK(column.is_view());
  column[0] = 10;
  column.push_back(4);
  CHECK(memory == std::vector<int>{10, 2, 3, 4, 99});
  CHECK(column.is_view());
  column.push_back(5);
  CHECK_FALSE(column.is_view());
  column[1] = 20;
  CHECK(column == std::vector<int>{10, 20, 3, 4, 5});
  CHECK(memory == std::vector<int>{10, 2, 3, 4, 99});
}

TEST_CASE("column: what resizing adds has the given value, whatever lay there", "[graph][column]") {
  std::vector<int> memory{1, 99, 99, 99};
  Column<int> column;
  column.view(memory.data(), 1, 4);
  column.resize(3);
  CHECK(column == std::vector<int>{1, 0, 0});
}

TEST_CASE("texts: do not move, whatever their length", "[graph][texts]") {
  Texts texts;
  std::vector<std::string> model;
  std::vector<std::string_view> seen;
  std::mt19937 random(3);
  for (int i = 0; i < 3000; ++i) {
    const std::size_t size = i % 500 == 7 ? 200'000 : random() % 90;
    model.emplace_back(size, static_cast<char>('a' + i % 26));
    texts.push_back(model.back());
    seen.push_back(texts[texts.size() - 1]);
  }
  for (std::size_t i = 0; i < model.size(); ++i) REQUIRE(seen[i] == model[i]);
  const auto check = [&](const Texts& t) {
    for (std::size_t i = 0; i < model.size(); ++i) {
      REQUIRE(t[i] == model[i]);
    }
  };
  check(texts);
  CHECK_FALSE(texts.is_packed());
  texts = Texts(texts);
  CHECK(texts.is_packed());
  check(texts);
  texts.push_back("after");
  CHECK(texts[model.size()] == "after");
  CHECK_THROWS_AS(texts.push_back(std::string(16 << 20, 'x')), std::length_error);
}

namespace {

// As a packed file does: columns side by side, with the given room to spare, and the counts.
struct Memory {
  std::vector<std::vector<std::byte>> columns;
  std::vector<std::size_t> sizes, counts;

  explicit Memory(const Packing& packing, std::size_t spare) {
    for (const AnyColumn* column : packing.columns) {
      columns.emplace_back((column->size() + spare) * column->value_bytes(), std::byte{0xee});
      if (!column->empty())
        std::memcpy(columns.back().data(), column->bytes().data(), column->bytes().size());
      sizes.push_back(column->size());
    }
    for (const std::size_t* count : packing.counts) counts.push_back(*count);
  }
  void unpack(const Packing& packing) {
    REQUIRE(packing.columns.size() == columns.size());
    REQUIRE(packing.counts.size() == counts.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      packing.columns[i]->view(columns[i].data(), sizes[i],
                               columns[i].size() / packing.columns[i]->value_bytes());
    }
    for (std::size_t i = 0; i < counts.size(); ++i) *packing.counts[i] = counts[i];
  }
};

// Nodes and edges that come, go and come again; the same for the same seed.
void churn(Graph& g, Vectors& vectors, unsigned seed, int steps) {
  std::mt19937 random(seed);
  for (const char* type : {"one", "two"}) g.edge_types().intern(type);
  const auto any = [&] { return static_cast<NodeId>(random() % g.node_bound()); };
  for (int step = 0; step < steps; ++step) {
    const auto id = "node " + std::to_string(random() % 400);
    if (!g.find_node(id)) vectors.clear(g.add_node(id));
    const NodeId a = any(), b = any();
    const auto type = static_cast<TypeId>(random() % 3);
    const auto edge = g.find_edge(a, b, type);
    if (edge && random() % 2 == 0) {
      g.remove_edge(*edge);
    } else if (!edge) {
      g.edges().weight[g.add_edge(a, b, type)] = step;
    }
    if (random() % 4 == 0) vectors.set(a, std::vector<float>{static_cast<float>(step), 1});
    g.nodes().updated_at[a] = step;
    if (!g.out_edges(b).empty() || !g.in_edges(b).empty()) continue;
    vectors.clear(b);
    std::vector<bool> removed(g.node_bound());
    removed[b] = true;
    vectors.renumber(g.remove_nodes(removed));
  }
}

std::string text_of(const Graph& g, const Vectors& vectors) {
  std::string text;
  for (NodeId n = 0; n < g.node_bound(); ++n) {
    text += std::string(g.id(n)) + " " + std::to_string(g.nodes().updated_at[n]);
    for (const float x : vectors.row(n)) text += " v" + std::to_string(x);
    for (const EdgeId e : g.out_edges(n)) {
      text += " " + std::to_string(e) + ">" + std::to_string(g.target(e)) + ":" +
              std::to_string(g.type(e)) + "=" + std::to_string(g.edges().weight[e]);
      REQUIRE(g.find_edge(n, g.target(e), g.type(e)) == e);
    }
    for (const EdgeId e : g.in_edges(n)) text += " <" + std::to_string(e);
    REQUIRE(g.find_node(g.id(n)) == n);
    text += "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("a graph that was packed goes on as the one that it was packed from", "[graph][column]") {
  const std::size_t spare = GENERATE(0u, 5u, 5000u);
  CAPTURE(spare);
  Graph g;
  Vectors vectors;
  g.add_node("first");
  churn(g, vectors, 1, 4000);
  Packing packing = g.pack();
  vectors.pack(packing);
  Memory memory(packing, spare);
  const std::string before = text_of(g, vectors);

  Graph unpacked;
  Vectors unpacked_vectors;
  Packing target = unpacked.unpack();
  unpacked_vectors.pack(target);
  memory.unpack(target);
  for (std::size_t type = 1; type < g.edge_types().size(); ++type)  // names are not packed
    unpacked.edge_types().intern(g.edge_types().name(static_cast<TypeId>(type)));
  CHECK(text_of(unpacked, unpacked_vectors) == before);
  CHECK(unpacked.num_nodes() == g.num_nodes());
  CHECK(unpacked.num_edges() == g.num_edges());

  churn(g, vectors, 2, 4000);
  churn(unpacked, unpacked_vectors, 2, 4000);
  CHECK(text_of(unpacked, unpacked_vectors) == text_of(g, vectors));
  CHECK(text_of(g, vectors) != before);
}
