// The graph against boost::adjacency_list<vecS, vecS, bidirectionalS> with a bundled weight, in one
// run: time to build, time of a pass over all weights, bytes an edge.
//
// The edges are drawn at random, ten to a node, and differ in (source, target). Both graphs get the
// same ones in the same order and both have to refuse a repeated one, which ours does with its
// index and adjacency_list does by looking through the out-edges of the source. Bytes are those the
// allocator handed out while the edges were added, for both alike; the argument is the number of
// edges.
#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>
#include <benchmark/benchmark.h>
#include <boost/graph/adjacency_list.hpp>
#include <malloc.h>

#include "graph/graph.h"

namespace {

using hebb::graph::EdgeId;
using hebb::graph::Graph;
using hebb::graph::NodeId;

constexpr std::size_t kDegree = 10;
constexpr double kDecay = 0.98;

struct EdgeRow {
  double weight = 0;
  std::int64_t touched_at = 0;
  double gained = 0;
  hebb::graph::TypeId type = 0;
};
using List = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS,
                                   boost::no_property, EdgeRow>;

struct Ends {
  NodeId source, target;
};

// Made once for each number of edges, outside every measurement.
const std::vector<Ends>& random_edges(std::size_t count) {
  static std::vector<Ends> ends;
  if (ends.size() == count) return ends;
  ends.clear();
  ends.reserve(count);
  std::mt19937_64 random(1);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t nodes = count / kDegree;
    const auto source = static_cast<NodeId>(random() % nodes);
    ends.push_back({source, static_cast<NodeId>(random() % nodes)});
  }
  return ends;
}

std::unique_ptr<Graph> graph_of_nodes(std::size_t nodes) {
  auto g = std::make_unique<Graph>();
  for (std::size_t n = 0; n < nodes; ++n) g->add_node(std::to_string(n));
  return g;
}

void add_edges(Graph& g, const std::vector<Ends>& ends) {
  for (const auto& [source, target] : ends) {
    if (g.find_edge(source, target, 1)) continue;
    g.edges().weight[g.add_edge(source, target, 1)] = 1;
  }
}

void add_edges(List& list, const std::vector<Ends>& ends) {
  for (const auto& [source, target] : ends) {
    const auto [begin, end] = out_edges(source, list);
    const auto same = [&, to = target](const auto& e) {
      return boost::target(e, list) == to && list[e].type == 1;
    };
    if (std::find_if(begin, end, same) == end) add_edge(source, target, {1, 0, 0, 1}, list);
  }
}

std::size_t allocated_bytes() {
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

void report(benchmark::State& state, std::size_t edges, std::size_t bytes) {
  const auto count = static_cast<double>(edges);
  state.counters["edges"] = count;
  state.counters["bytes_per_edge"] = static_cast<double>(bytes) / count;
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(edges));
}

void build_hebb(benchmark::State& state, bool reserve) {
  const auto& ends = random_edges(static_cast<std::size_t>(state.range(0)));
  std::size_t edges = 0, bytes = 0;
  for (auto _ : state) {
    state.PauseTiming();
    auto g = graph_of_nodes(ends.size() / kDegree);
    const std::size_t before = allocated_bytes();
    state.ResumeTiming();
    if (reserve) g->reserve(g->num_nodes(), ends.size());
    add_edges(*g, ends);
    state.PauseTiming();
    edges = g->num_edges();
    bytes = allocated_bytes() - before;
    g.reset();
    state.ResumeTiming();
  }
  report(state, edges, bytes);
}
void BuildHebb(benchmark::State& state) { build_hebb(state, false); }
void BuildHebbReserved(benchmark::State& state) { build_hebb(state, true); }

void BuildAdjacencyList(benchmark::State& state) {
  const auto& ends = random_edges(static_cast<std::size_t>(state.range(0)));
  std::size_t edges = 0, bytes = 0;
  for (auto _ : state) {
    state.PauseTiming();
    auto list = std::make_unique<List>(ends.size() / kDegree);
    const std::size_t before = allocated_bytes();
    state.ResumeTiming();
    add_edges(*list, ends);
    state.PauseTiming();
    edges = boost::num_edges(*list);
    bytes = allocated_bytes() - before;
    list.reset();
    state.ResumeTiming();
  }
  report(state, edges, bytes);
}

void PassHebb(benchmark::State& state) {
  const auto& ends = random_edges(static_cast<std::size_t>(state.range(0)));
  const auto g = graph_of_nodes(ends.size() / kDegree);
  add_edges(*g, ends);
  auto& column = g->edges().weight;
  Eigen::Map<Eigen::ArrayXd> weights(column.data(), static_cast<Eigen::Index>(column.size()));
  for (auto _ : state) {
    weights *= kDecay;
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(g->num_edges()));
}

void PassAdjacencyList(benchmark::State& state) {
  const auto& ends = random_edges(static_cast<std::size_t>(state.range(0)));
  List list(ends.size() / kDegree);
  add_edges(list, ends);
  const auto count = static_cast<std::int64_t>(boost::num_edges(list));
  for (auto _ : state) {
    for (auto [e, end] = boost::edges(list); e != end; ++e) list[*e].weight *= kDecay;
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() * count);
}

void FindHebb(benchmark::State& state) {
  const auto& ends = random_edges(static_cast<std::size_t>(state.range(0)));
  const auto g = graph_of_nodes(ends.size() / kDegree);
  add_edges(*g, ends);
  std::size_t at = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(g->find_edge(ends[at].source, ends[at].target, 1));
    at = at + 1 == ends.size() ? 0 : at + 1;
  }
  state.SetItemsProcessed(state.iterations());
}

constexpr std::int64_t kSmall = 1'000'000, kLarge = 10'000'000;

BENCHMARK(BuildHebb)->Arg(kSmall)->Arg(kLarge)->Unit(benchmark::kMillisecond)->Iterations(1);
BENCHMARK(BuildHebbReserved)
    ->Arg(kSmall)
    ->Arg(kLarge)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK(BuildAdjacencyList)
    ->Arg(kSmall)
    ->Arg(kLarge)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK(PassHebb)->Arg(kSmall)->Arg(kLarge)->Unit(benchmark::kMillisecond);
BENCHMARK(PassAdjacencyList)->Arg(kSmall)->Arg(kLarge)->Unit(benchmark::kMillisecond)->MinTime(0.2);
BENCHMARK(FindHebb)->Arg(kSmall)->Arg(kLarge);

}  // namespace

BENCHMARK_MAIN();
