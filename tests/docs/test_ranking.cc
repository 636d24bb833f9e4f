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
  const Policy p;
  const auto priority = [&](int said) { return std::pow(p.urgency_base, 2 - said); };
  says(fmt::format("for {} days; not within a day of a failure", p.pressing_days));
  says(fmt::format("P0 times {:.1f}, P1 {:.1f}, P3 {:.2f}, P4 {:.2f};", priority(0), priority(1),
                   priority(3), priority(4)));
  says(fmt::format("up to {} times, the less time is left", 1 + p.due_weight));
  says(fmt::format("{:.0f} times what takes a day", std::pow(24, p.duration_exponent)));
  says(fmt::format("times {:.2f} at once, {:.2f} after an hour", std::pow(p.failure_penalty, 5),
                   std::pow(p.failure_penalty, 1.25)));
  says(fmt::format("up to {:.0f} times, down to a quarter", 1 / p.success_rate_floor));
  says(fmt::format("up to {:.2f} times, for about a day", std::exp(p.reward_weight)));
  CHECK(hebb::reward::dormant(type, 1, 0, static_cast<hebb::TimeMs>((awake + 0.1) * 86'400'000)));
  CHECK_FALSE(
      hebb::reward::dormant(type, 1, 0, static_cast<hebb::TimeMs>((awake - 0.1) * 86'400'000)));
}
