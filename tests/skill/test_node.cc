// Sessions with other people's browser servers, recorded by hebb: the skills that they become, and
// the tests for @playwright/test. They are npm packages, pinned in node/.
#include <catch2/catch.hpp>

#include "tests/support/script.h"

TEST_CASE("capture: a session with @playwright/mcp is done again", "[browser]") {
  hebb::test::run_in_node("skill", "playwright.mjs");
}

TEST_CASE("capture: a session with chrome-devtools-mcp is done again", "[browser]") {
  hebb::test::run_in_node("skill", "devtools.mjs");
}

TEST_CASE("export: recorded sessions pass as tests of @playwright/test, and can fail",
          "[browser]") {
  hebb::test::run_in_node("skill", "export.mjs");
}

TEST_CASE("skills through the tools of hebb mcp", "[browser]") {
  hebb::test::run_in_node("skill", "mcp.mjs");
}

TEST_CASE("the six scenarios of deterministic replay", "[browser]") {
  hebb::test::run_script({"bash", HEBB_SOURCE_DIR "/scripts/verify-skills", HEBB_BINARY});
}
