// examples/agent and examples/claims run, and do what their pages say.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/process.h"

namespace {

std::string example(const std::string& name) {
  return std::string(HEBB_SOURCE_DIR) + "/examples/" + name;
}

// Says so in the test's output where one of them is not there.
bool has_all(const std::vector<std::string>& programs) {
  for (const auto& program : programs) {
    if (hebb::test::is_installed(program)) continue;
    WARN("hebb-test-skipped: " << program << " is not installed");
    return false;
  }
  return true;
}

}  // namespace

TEST_CASE("examples: an agent takes a task, does it, says how it came out, and asks again",
          "[slow]") {
  if (!has_all({"python3"})) return;
  const auto demo = hebb::test::run_process({"sh", example("agent/demo.sh"), HEBB_BINARY});
  CHECK(demo.exit_code == 0);
  CHECK(demo.err.empty());
  CHECK(demo.out == hebb::test::read_text(example("agent/demo.txt")));
}

TEST_CASE("examples: three workers in three languages empty one queue", "[slow]") {
  if (!has_all({"python3", "node"})) return;
  hebb::test::ProcessOptions options;
  options.env = {{"HEBB", HEBB_BINARY}};
  const auto run = hebb::test::run_process({"sh", example("claims/run.sh"), "30"}, options);
  INFO(run.out << run.err);
  CHECK(run.exit_code == 0);
  CHECK(run.out.find("30 outcomes of 30 tasks of 30\n") != std::string::npos);
}
