// Against programs from npm: the official MCP client, the protocol's inspector and its conformance
// tests, and a linter of OpenAPI.
#include <filesystem>
#include <string>

#include <catch2/catch.hpp>

#include "tests/support/process.h"

namespace {

// A script of the folder's, with the packages of its package-lock.json; `work` is where those are
// installed.
void run_oracle(const std::string& folder, const std::string& work, const std::string& script) {
  namespace fs = std::filesystem;
  constexpr int kSkipped = 77;
  const fs::path source = fs::path(HEBB_SOURCE_DIR) / "tests" / folder / "node";
  const auto run =
      hebb::test::run_process({(source / "run.sh").string(), source.string(),
                               (fs::current_path() / work).string(), HEBB_BINARY, script});
  if (run.exit_code == kSkipped) {
    WARN("hebb-test-skipped: " << run.out);
    return;
  }
  INFO(run.out << run.err);
  CHECK(run.exit_code == 0);
}

}  // namespace

TEST_CASE("mcp: the official client, and both eras of the protocol") {
  run_oracle("capture", "node-oracles", "server.mjs");
}

TEST_CASE("mcp: the protocol's inspector") { run_oracle("serve", "mcp-oracles", "inspector.mjs"); }

TEST_CASE("mcp: the protocol's conformance tests") {
  run_oracle("serve", "mcp-oracles", "conformance.mjs");
}

TEST_CASE("mcp: the configurations of docs/agents.md start a server") {
  run_oracle("serve", "mcp-oracles", "clients.mjs");
}

TEST_CASE("api: openapi.json passes a linter") {
  run_oracle("capture", "node-oracles", "openapi.mjs");
}
