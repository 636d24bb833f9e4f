// Against programs from npm: the official MCP client and a linter of OpenAPI; see
// tests/capture/test_record_node.cc.
#include <filesystem>
#include <string>

#include <catch2/catch.hpp>

#include "tests/support/process.h"

namespace {

void run_oracle(const std::string& script) {
  namespace fs = std::filesystem;
  constexpr int kSkipped = 77;
  const fs::path source = fs::path(HEBB_SOURCE_DIR) / "tests" / "capture" / "node";
  const fs::path work = fs::current_path() / "node-oracles";
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

TEST_CASE("mcp: the official client, and both eras of the protocol") { run_oracle("server.mjs"); }

TEST_CASE("api: openapi.json passes a linter") { run_oracle("openapi.mjs"); }
