// What an outcome scores. Whom it rewards is in tests/engine/scripts/outcomes.test.
#include <catch2/catch.hpp>

#include "reward/outcome.h"

namespace hebb::reward {
namespace {

TEST_CASE("outcome: a score is what was given, else the share of tests that passed, else 1") {
  CHECK(score(0.3, 1.0, 4.0) == 0.3);
  CHECK(score({}, 1.0, 4.0) == 0.25);
  CHECK(score({}, 0.0, 4.0) == 0);
  CHECK(score({}, 3.0, 0.0) == 1);
  CHECK(score({}, {}, 4.0) == 1);
  CHECK(score({}, {}, {}) == 1);
}

}  // namespace
}  // namespace hebb::reward
