// The JSON of the golden sessions against its schemas, with ajv; see
// tests/capture/test_record_node.cc.
#include <filesystem>
#include <string>

#include <catch2/catch.hpp>

#include "tests/support/process.h"

TEST_CASE("JSON of the sessions: as its schemas say, by ajv") {
  namespace fs = std::filesystem;
  constexpr int kSkipped = 77;
  const fs::path source = fs::path(HEBB_SOURCE_DIR) / "tests" / "capture" / "node";
  const fs::path work = fs::current_path() / "node-oracles";
  hebb::test::ProcessOptions options;
  options.env = {{"SESSIONS", HEBB_SOURCE_DIR "/tests/golden"}};
  const auto run = hebb::test::run_process(
      {(source / "run.sh").string(), source.string(), work.string(), HEBB_BINARY, "schemas.mjs"},
      options);
  if (run.exit_code == kSkipped) {
    WARN("hebb-test-skipped: " << run.out);
    return;
  }
  INFO(run.out << run.err);
  CHECK(run.exit_code == 0);
}
