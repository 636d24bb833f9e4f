// examples/record and examples/recall run and print what their pages say.
#include <string>

#include <catch2/catch.hpp>

#include "tests/support/process.h"

TEST_CASE("examples: demo.sh prints what demo.txt shows") {
  const std::string name = GENERATE("record", "recall");
  CAPTURE(name);
  const std::string folder = std::string(HEBB_SOURCE_DIR) + "/examples/" + name;
  const auto demo = hebb::test::run_process({"sh", folder + "/demo.sh", HEBB_BINARY});
  CHECK(demo.exit_code == 0);
  CHECK(demo.err.empty());
  CHECK(demo.out == hebb::test::read_text(folder + "/demo.txt"));
}
