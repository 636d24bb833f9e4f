#include <cmath>
#include <span>

#include <catch2/catch.hpp>

#include "reward/evidence.h"
#include "tests/reward/world.h"

namespace hebb::reward {
namespace {

TEST_CASE("distances of many have the bits of a sum in the order of the numbers") {
  Random random(1);
  for (const std::size_t count : {1U, 7U, 8U, 9U, 33U}) {
    std::vector<double> focus;
    for (int i = 0; i < 257; ++i) focus.push_back(random.between(-1, 1));
    std::vector<std::vector<float>> rows(count);
    for (auto& row : rows) {
      if (random.chance(0.2)) continue;  // without a vector
      for (int i = 0; i < 257; ++i) row.push_back(static_cast<float>(random.between(-1, 1)));
    }
    const std::vector<std::span<const float>> spans(rows.begin(), rows.end());
    const auto apart = distances(focus, spans);
    REQUIRE(apart.size() == count);
    for (std::size_t r = 0; r < count; ++r) {
      double sum = 0;
      for (std::size_t i = 0; i < rows[r].size(); ++i) {
        const double d = focus[i] - static_cast<double>(rows[r][i]);
        sum += d * d;
      }
      CHECK(apart[r] == (rows[r].empty() ? -1 : std::sqrt(sum)));
    }
  }
}

}  // namespace
}  // namespace hebb::reward
