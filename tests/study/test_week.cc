// The simulated week: the same for the same seed, and those who know more do better in it.
#include <algorithm>
#include <map>
#include <string>

#include <catch2/catch.hpp>

#include "tests/support/week.h"

namespace hebb::test::week {
namespace {

std::map<std::string, Score> by_name(const Options& options) {
  std::map<std::string, Score> scores;
  for (const Score& score : compare(options)) scores[score.scheduler] = score;
  return scores;
}

}  // namespace

TEST_CASE("who knows more does more of what is worth most in a simulated week", "[slow]") {
  auto scores = by_name({.worlds = 6, .first_seed = 1000, .settings = {}});
  CHECK(scores.size() == 9);
  for (const auto& [name, score] : scores) {
    INFO(name);
    CHECK(score.value.mean > .2);
    CHECK(score.value.mean < 1);
    CHECK(score.missed.mean < 1);
    CHECK(score.wasted.mean > .05);
    CHECK(score.wasted.mean < .6);
  }
  CHECK(scores["oracle"].of_oracle.mean == 1);
  CHECK(scores["oracle"].of_oracle.error == 0);
  CHECK(scores["oldest first"].value.mean < scores["priority, then oldest"].value.mean);
  CHECK(scores["priority, then oldest"].value.mean < scores["oracle"].value.mean);
  CHECK(scores["random"].value.mean < scores["hebb"].value.mean);
  CHECK(scores["priority, then oldest"].p0_hours.mean < scores["random"].p0_hours.mean);
  CHECK(scores["earliest deadline"].missed.mean < scores["priority, then oldest"].missed.mean);
}

TEST_CASE("a week of the same seed is the same, and a setting changes hebb alone", "[slow]") {
  const Options options{.worlds = 2, .first_seed = 7, .settings = {}};
  auto once = by_name(options), again = by_name(options);
  auto other = by_name({.worlds = 2, .first_seed = 7, .settings = {{"urgency_base", "1"}}});
  for (const auto& [name, score] : once) {
    INFO(name);
    CHECK(score.value.mean == again[name].value.mean);
    CHECK(score.wasted.mean == again[name].wasted.mean);
    CHECK((score.value.mean == other[name].value.mean) == (name != "hebb"));
  }
}

TEST_CASE("weeks that cannot be are refused") {
  CHECK_THROWS_AS(compare({.worlds = 0, .first_seed = 1, .settings = {}}), std::invalid_argument);
  CHECK_THROWS_AS(compare({.worlds = 1, .first_seed = 1, .settings = {{"no_such", "1"}}}),
                  reward::BadPolicy);
}

}  // namespace hebb::test::week
