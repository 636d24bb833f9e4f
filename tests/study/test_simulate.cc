// The simulation: regret falls, and preferences change when the success probabilities change.
#include <algorithm>
#include <string>

#include <catch2/catch.hpp>

#include "tests/support/simulate.h"

namespace hebb::test {
namespace {

double regret(const std::vector<SimulateScore>& scores, const std::string& ranking,
              const std::string& scenario) {
  const auto found = std::find_if(scores.begin(), scores.end(), [&](const SimulateScore& s) {
    return s.ranking == ranking && s.scenario == scenario;
  });
  REQUIRE(found != scores.end());
  return found->regret;
}

TEST_CASE("learning loses a small part of what a ranking without it loses", "[slow]") {
  SimulateOptions options;
  options.seeds = 20;  // `scripts/bench simulate` has 60
  const auto scores = simulate(options);
  CHECK(scores.size() == 16);
  CHECK(regret(scores, "hebb", "S1") <= .17 * regret(scores, "baseline formula", "S1"));
  for (const char* scenario : {"S1", "S2", "S3", "S4"}) {
    CAPTURE(scenario);
    CHECK(regret(scores, "hebb", scenario) < .4 * regret(scores, "baseline formula", scenario));
    CHECK(regret(scores, "hebb", scenario) < .4 * regret(scores, "baseline, own output", scenario));
    CHECK(regret(scores, "hebb", scenario) <= 1.4 * regret(scores, "Thompson sampling", scenario));
  }
}

TEST_CASE("the same options give the same result; longer runs lose more in all, less a step") {
  SimulateOptions options;
  options.seeds = 2;
  options.steps = 100;
  const auto once = simulate(options), again = simulate(options);
  for (std::size_t i = 0; i < once.size(); ++i) CHECK(once[i].regret == again[i].regret);
  options.steps = 300;
  const auto longer = simulate(options);
  const double first = regret(once, "hebb", "S1"), all = regret(longer, "hebb", "S1");
  CHECK(all >= first);
  CHECK((all - first) / 200 < first / 100);
}

TEST_CASE("a setting changes the learned ranking and no other") {
  SimulateOptions options;
  options.seeds = 1;
  options.steps = 100;
  const auto usual = simulate(options);
  options.settings = {{"success_rate_exponent", "0"}, {"failure_penalty", "1"}};
  const auto blind = simulate(options);
  CHECK(regret(blind, "hebb", "S1") > regret(usual, "hebb", "S1"));
  CHECK(regret(blind, "baseline formula", "S1") == regret(usual, "baseline formula", "S1"));
  CHECK(regret(blind, "Thompson sampling", "S1") == regret(usual, "Thompson sampling", "S1"));
}

TEST_CASE("a simulation without tasks, categories, steps or seeds is refused") {
  for (const auto member : {&SimulateOptions::seeds, &SimulateOptions::steps,
                            &SimulateOptions::tasks, &SimulateOptions::categories}) {
    SimulateOptions options;
    options.*member = 0;
    CHECK_THROWS_AS(simulate(options), std::invalid_argument);
  }
}

}  // namespace
}  // namespace hebb::test
