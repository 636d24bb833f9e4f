// Two tests that must fail, to check that the test harness notices failures.
#include <vector>

#include <catch2/catch.hpp>

TEST_CASE("canary: a false check counts as a failure", "[!shouldfail]") {
  const std::vector<int> values{1, 2, 3};
  CHECK(values.size() == 4);
}

// Hidden from the ordinary run; cmake/Tests.cmake runs it alone and expects its exit code to be
// bad.
TEST_CASE("canary: exit code", "[.canary]") {
  const std::vector<int> values{1, 2, 3};
  REQUIRE(values.empty());
}
