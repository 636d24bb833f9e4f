// One vector per node: set, overwrite, clear, reuse of rows, against a std::map.
#include <map>
#include <random>
#include <vector>

#include <catch2/catch.hpp>

#include "graph/vectors.h"

using hebb::graph::NodeId;
using hebb::graph::Vectors;

namespace {

std::vector<float> row_of(const Vectors& vectors, NodeId n) {
  const auto row = vectors.row(n);
  return {row.begin(), row.end()};
}

}  // namespace

TEST_CASE("vectors: nothing is there before the first set", "[graph][vectors]") {
  Vectors vectors;
  CHECK(vectors.dimension() == 0);
  CHECK(vectors.size() == 0);
  CHECK_FALSE(vectors.has(0));
  CHECK_FALSE(vectors.has(1000000));
  CHECK(vectors.row(3).empty());
  vectors.clear(3);
  CHECK(vectors.size() == 0);
}

TEST_CASE("vectors: set, overwrite, clear, and reuse of a row", "[graph][vectors]") {
  Vectors vectors;
  vectors.set(7, std::vector<float>{1, 2, 3});
  CHECK(vectors.dimension() == 3);
  CHECK(vectors.has(7));
  CHECK_FALSE(vectors.has(6));
  vectors.set(2, std::vector<float>{4, 5, 6});
  vectors.set(7, std::vector<float>{7, 8, 9});
  CHECK(vectors.size() == 2);
  CHECK(row_of(vectors, 7) == std::vector<float>{7, 8, 9});
  CHECK(row_of(vectors, 2) == std::vector<float>{4, 5, 6});

  vectors.clear(7);
  CHECK_FALSE(vectors.has(7));
  CHECK(vectors.row(7).empty());
  CHECK(vectors.size() == 1);
  CHECK(vectors.dimension() == 3);

  vectors.set(100, std::vector<float>{10, 11, 12});
  CHECK_FALSE(vectors.has(7));
  CHECK(row_of(vectors, 100) == std::vector<float>{10, 11, 12});
  CHECK(row_of(vectors, 2) == std::vector<float>{4, 5, 6});
}

TEST_CASE("vectors: the dimension stays when all are cleared", "[graph][vectors]") {
  Vectors vectors;
  vectors.set(0, std::vector<float>{1, 2});
  vectors.clear(0);
  CHECK(vectors.size() == 0);
  CHECK(vectors.dimension() == 2);
}

TEST_CASE("vectors behave as a map from node to vector", "[graph][vectors]") {
  const auto seed = GENERATE(1u, 2u, 3u);
  CAPTURE(seed);
  std::mt19937 random(seed);
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  Vectors vectors;
  std::map<NodeId, std::vector<float>> model;
  for (int step = 0; step < 3000; ++step) {
    const NodeId n = below(50);
    if (below(3) == 0) {
      vectors.clear(n);
      model.erase(n);
    } else {
      std::vector<float> row(5);
      for (float& x : row) x = static_cast<float>(below(1000));
      vectors.set(n, row);
      model[n] = row;
    }
    REQUIRE(vectors.size() == model.size());
    const NodeId probe = below(50);
    const auto expected = model.find(probe);
    REQUIRE(vectors.has(probe) == (expected != model.end()));
    if (expected != model.end()) REQUIRE(row_of(vectors, probe) == expected->second);
  }
}
