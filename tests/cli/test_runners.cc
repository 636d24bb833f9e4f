// The order of hebb, given to the real runners: see tests/cli/runners/run.sh.
#include <filesystem>

#include <catch2/catch.hpp>

#include "tests/support/script.h"

namespace hebb::test {

namespace {

void run_with(const char* runner) {
  const auto packages = std::filesystem::current_path() / "node-oracles";
  run_script({"/bin/sh", HEBB_SOURCE_DIR "/tests/cli/runners/run.sh", runner, HEBB_BINARY,
              packages.string()});
}

}  // namespace

TEST_CASE("pytest runs what is chosen for it") { run_with("pytest"); }
TEST_CASE("unittest runs what is chosen for it") { run_with("unittest"); }
TEST_CASE("vitest runs what is chosen for it", "[slow]") { run_with("vitest"); }
TEST_CASE("jest runs what is chosen for it", "[slow]") { run_with("jest"); }
TEST_CASE("Playwright runs what is chosen for it", "[slow]") { run_with("playwright"); }
TEST_CASE("node runs what is chosen for it", "[slow]") { run_with("node"); }
TEST_CASE("Go runs what is chosen for it", "[slow]") { run_with("go"); }
TEST_CASE("GoogleTest runs what is chosen for it", "[slow]") { run_with("gtest"); }
TEST_CASE("ctest runs what is chosen for it") { run_with("ctest"); }

}  // namespace hebb::test
