// examples/skills runs and prints what its page says. Skipped without a Chromium.
#include <string>

#include <catch2/catch.hpp>

#include "skill/browser/process.h"
#include "tests/skill/pages.h"
#include "tests/support/process.h"

TEST_CASE("examples: the shop's demo.sh prints what demo.txt shows", "[browser]") {
  NEEDS_BROWSER();
  const std::string folder = std::string(HEBB_SOURCE_DIR) + "/examples/skills";
  const auto demo = hebb::test::run_process({"sh", folder + "/demo.sh", HEBB_BINARY});
  CHECK(demo.exit_code == 0);
  CHECK(demo.err.empty());
  CHECK(demo.out == hebb::test::read_text(folder + "/demo.txt"));
}
