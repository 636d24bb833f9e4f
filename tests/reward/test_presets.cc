// The presets: what they are, and what `tests` makes of outcomes.
#include <catch2/catch.hpp>

#include "reward/presets.h"

namespace hebb::reward {
namespace {

TEST_CASE("presets are policies, and tasks is the default") {
  for (const Preset& p : presets()) {
    INFO(p.name);
    CHECK_NOTHROW(from_toml(p.toml));
  }
  REQUIRE(presets().size() == 2);
  CHECK(from_toml(preset("tasks").toml) == Policy::learned());
  CHECK_THROWS_WITH(preset("task"), Catch::Contains("tasks, tests"));
}

TEST_CASE("the preset tests lets failures draw attention") {
  const Policy p = from_toml(preset("tests").toml);
  CHECK_FALSE(p.close_on_success);
  CHECK(p.failure_penalty > 1);
  CHECK(p.forgiveness == 0.5);
  CHECK(p.untried_failures == 1);
  CHECK(p.type("REWARD_NEGATIVE").cap == 20);
  CHECK(p.type("LABELED_AS") == Policy::learned().type("LABELED_AS"));
}

TEST_CASE("a failure penalty above 1 stays finite") {
  Policy p = Policy::learned();
  set(p, "failure_penalty", "100");
  CHECK_NOTHROW(check(p));  // 100^20 = 1e40
  set(p, "type.REWARD_NEGATIVE.cap", "51");
  CHECK_THROWS_WITH(check(p), Catch::Contains("failure_penalty") && Catch::Contains("1e100"));
}

}  // namespace
}  // namespace hebb::reward
