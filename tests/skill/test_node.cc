// Sessions with other people's browser servers, recorded by hebb: the skills that they become, and
// the tests for @playwright/test. They are npm packages, pinned in node/.
#include <filesystem>
#include <string>

#include <catch2/catch.hpp>

#include "tests/support/process.h"

namespace {

void run_in_node(const std::string& script) {
  namespace fs = std::filesystem;
  constexpr int kSkipped = 77;
  const fs::path source = fs::path(HEBB_SOURCE_DIR) / "tests" / "skill" / "node";
  const fs::path work = fs::current_path() / "node-browsers";
  const auto run = hebb::test::run_process(
      {(source / "run.sh").string(), source.string(), work.string(), HEBB_BINARY, script});
  if (run.exit_code == kSkipped) {
    WARN("hebb-test-skipped: " << run.out);
    return;
  }
  INFO(run.out << run.err);
  CHECK(run.exit_code == 0);
}

}  // namespace

TEST_CASE("capture: a session with @playwright/mcp is done again", "[browser]") {
  run_in_node("playwright.mjs");
}

TEST_CASE("capture: a session with chrome-devtools-mcp is done again", "[browser]") {
  run_in_node("devtools.mjs");
}

TEST_CASE("export: recorded sessions pass as tests of @playwright/test, and can fail",
          "[browser]") {
  run_in_node("export.mjs");
}
