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

TEST_CASE("outcome: no number of successes makes a test one that never failed") {
  Policy policy;
  OwnOutcomes failed, never;
  add_failure_of_test(policy, failed, 1);
  for (int i = 0; i < 3000; ++i) {
    add_success_of_test(policy, failed, i);
    add_success_of_test(policy, never, i);
  }
  CHECK(failed.failures > 0);
  CHECK(never.failures == 0);
  add_failure_of_test(policy, failed, 3000);
  CHECK(failed.failures == 1);
  policy.test_forgiveness = 0;
  add_success_of_test(policy, failed, 3001);
  CHECK(failed.failures == 0);
}

}  // namespace
}  // namespace hebb::reward
