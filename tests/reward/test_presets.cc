// The presets: what they are, and what `tests` makes of outcomes.
#include <catch2/catch.hpp>

#include "reward/presets.h"

namespace hebb::reward {
namespace {

TEST_CASE("presets are policies, and tests is the default") {
  for (const Preset& p : presets()) {
    INFO(p.name);
    CHECK_NOTHROW(from_toml(p.toml));
  }
  REQUIRE(presets().size() == 2);
  CHECK(from_toml(preset("tests").toml) == Policy::learned());
  CHECK_THROWS_WITH(preset("task"), Catch::Contains("tasks, tests"));
}

TEST_CASE("the presets differ in how nodes of type TEST are treated, and in nothing else") {
  Policy p = from_toml(preset("tasks").toml);
  CHECK_FALSE(p.test_by_failures);
  p.test_by_failures = true;
  CHECK(p == Policy::learned());
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
