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
  REQUIRE(presets().size() == 3);
  CHECK(from_toml(preset("tests").toml) == Policy::learned());
  CHECK_THROWS_WITH(preset("task"), Catch::Contains("strict, tasks, tests"));
}

TEST_CASE("by the preset strict, priorities decide, and nothing else differs") {
  Policy p = from_toml(preset("strict").toml);
  CHECK(p.strict);
  p.strict = false;
  CHECK(p == Policy::learned());
}

TEST_CASE("by the preset tasks, nodes of type TEST are tasks, and nothing else differs") {
  Policy p = from_toml(preset("tasks").toml);
  CHECK_FALSE(p.test_by_failures);
  p.test_by_failures = true;
  CHECK(p == Policy::learned());
}

}  // namespace
}  // namespace hebb::reward
