// The two containers below Graph: lists of edge ids per node, and the hash index of ids.
#include <algorithm>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "graph/adjacency.h"
#include "graph/id_index.h"

using hebb::graph::Adjacency;
using hebb::graph::IdIndex;

namespace {

std::vector<std::uint32_t> list_of(const Adjacency& lists, std::uint32_t node) {
  const auto list = lists.list(node);
  return {list.begin(), list.end()};
}

}  // namespace

TEST_CASE("adjacency: a list grows and shrinks through every size in order", "[graph][adjacency]") {
  Adjacency lists;
  lists.add_node();
  lists.add_node();
  std::vector<std::uint32_t> expected;
  for (std::uint32_t e = 0; e < 200; ++e) {
    lists.append(1, e);
    expected.push_back(e);
    REQUIRE(list_of(lists, 1) == expected);
    REQUIRE(lists.list(0).empty());
  }
  while (!expected.empty()) {  // from the middle, so that both sides must keep their order
    const auto middle = expected.begin() + static_cast<std::ptrdiff_t>(expected.size() / 2);
    lists.remove(1, *middle);
    expected.erase(middle);
    REQUIRE(list_of(lists, 1) == expected);
  }
}

TEST_CASE("adjacency: lists are what vectors would be under random changes", "[graph][adjacency]") {
  const auto seed = GENERATE(1u, 2u, 3u, 4u);
  CAPTURE(seed);
  std::mt19937 random(seed);
  const auto below = [&](std::size_t n) { return static_cast<std::uint32_t>(random() % n); };
  Adjacency lists;
  std::vector<std::vector<std::uint32_t>> model;
  std::uint32_t next_edge = 0;
  for (int step = 0; step < 20000; ++step) {
    if (model.size() < 3 || below(100) == 0) {
      lists.add_node();
      model.emplace_back();
    }
    // Low nodes are drawn more often: lists of all lengths, moving past each other.
    const auto node = below(1 + below(model.size()));
    if (below(5) < 2 && !model[node].empty()) {
      const auto at = below(model[node].size());
      lists.remove(node, model[node][at]);
      model[node].erase(model[node].begin() + at);
    } else {
      lists.append(node, next_edge);
      model[node].push_back(next_edge++);
    }
    if (step % 100 != 0) continue;
    for (std::uint32_t n = 0; n < model.size(); ++n) REQUIRE(list_of(lists, n) == model[n]);
  }
}

TEST_CASE("adjacency: the pool does not grow under steady churn", "[graph][adjacency]") {
  Adjacency lists;
  constexpr std::uint32_t kNodes = 1000;
  for (std::uint32_t n = 0; n < kNodes; ++n) lists.add_node();
  std::mt19937 random(5);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> present;
  std::uint32_t next_edge = 0;
  for (int step = 0; step < 10000; ++step) {
    present.emplace_back(static_cast<std::uint32_t>(random() % kNodes), next_edge++);
    lists.append(present.back().first, present.back().second);
  }
  for (int step = 0; step < 200000; ++step) {
    std::swap(present[random() % present.size()], present.back());
    lists.remove(present.back().first, present.back().second);
    present.back() = {static_cast<std::uint32_t>(random() % kNodes), next_edge++};
    lists.append(present.back().first, present.back().second);
  }
  // Two words a node; blocks are at most a third empty, and the pool has a quarter to spare.
  CHECK(lists.memory_bytes() < 2 * 8 * kNodes + 4 * 10000 * 15 / 8);
}

TEST_CASE("adjacency: reserved room is not exceeded by what it was meant for",
          "[graph][adjacency]") {
  Adjacency lists;
  lists.reserve(100, 10000);
  const auto before = lists.memory_bytes();
  for (std::uint32_t n = 0; n < 100; ++n) {
    lists.add_node();
    for (std::uint32_t e = 0; e < 64; ++e) lists.append(n, n * 64 + e);
  }
  CHECK(lists.memory_bytes() <= before);
  CHECK(lists.list(99).back() == 99 * 64 + 63);
}

TEST_CASE("id index: finds what is in it under churn, whatever the hashes", "[graph][id_index]") {
  // From well spread to all the same: probing runs, their wrap-around and the closing of gaps.
  const auto spread = GENERATE(0xffffffffu, 0xf0000000u, 0xc0000000u, 0u);
  CAPTURE(spread);
  const auto hash_of = [spread](std::uint32_t id) { return (id * 2654435761u) & spread; };
  constexpr std::uint32_t kIds = 300;
  IdIndex index;
  std::vector<bool> present(kIds);
  const auto find = [&](std::uint32_t id) {
    return index.find(hash_of(id), [id](std::uint32_t found) { return found == id; }).has_value();
  };
  std::mt19937 random(11);
  for (int step = 0; step < 10000; ++step) {
    const auto id = static_cast<std::uint32_t>(random() % kIds);
    if (present[id]) {
      index.erase(id, hash_of);
    } else {
      index.insert(id, hash_of);
    }
    present[id] = !present[id];
    if (step % 50 != 0) continue;
    for (std::uint32_t other = 0; other < kIds; ++other) REQUIRE(find(other) == present[other]);
  }
  CHECK(index.memory_bytes() <= 5 * (kIds * 2 + 16));
}

TEST_CASE("id index: reserving keeps what is there", "[graph][id_index]") {
  const auto hash_of = [](std::uint32_t id) { return id * 2654435761u; };
  IdIndex index;
  for (std::uint32_t id = 0; id < 10; ++id) index.insert(id, hash_of);
  index.reserve(1000, hash_of);
  const auto reserved = index.memory_bytes();
  for (std::uint32_t id = 10; id < 1000; ++id) index.insert(id, hash_of);
  CHECK(index.memory_bytes() == reserved);
  for (std::uint32_t id = 0; id < 1000; ++id) {
    REQUIRE(index.find(hash_of(id), [id](std::uint32_t found) { return found == id; }) == id);
  }
}
