// Numbers in the prose of docs/ranking.md. Its tables are generated: tests/docs/ranking_blocks.cc.
#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/values/limits.h"
#include "reward/policy.h"
#include "reward/weight.h"
#include "tests/docs/page.h"

using hebb::reward::Policy;
using hebb::reward::TypePolicy;

TEST_CASE("numbers in the text follow from the policy") {
  const hebb::test::Page ranking("docs/ranking.md");
  const TypePolicy type;
  const double half_life = std::log(0.5) / std::log(type.decay_per_day);
  const double awake = std::log(type.dormant_below) / std::log(type.decay_per_day);
  std::string prose = ranking.text();
  std::replace(prose.begin(), prose.end(), '\n', ' ');
  const auto says = [&](const std::string& text) {
    INFO(text);
    CHECK(prose.find(text) != std::string::npos);
  };
  says(fmt::format("halves in {:.1f} days", half_life));
  says(fmt::format("1.0 falls below {} after {:.1f} days", type.dormant_below, awake));
  CHECK(hebb::reward::dormant(type, 1, 0, static_cast<hebb::TimeMs>((awake + 0.1) * 86'400'000)));
  CHECK_FALSE(
      hebb::reward::dormant(type, 1, 0, static_cast<hebb::TimeMs>((awake - 0.1) * 86'400'000)));
}
