// The recorder and the exports against other people's programs: the official MCP client and
// servers, OpenTelemetry's parser. They are npm packages, pinned in node/.
#include <cstdio>
#include <filesystem>
#include <string>

#include <catch2/catch.hpp>
#include <sys/wait.h>

namespace {

constexpr int kSkipped = 77;

// What run.sh says is shown when it fails, and where it skips.
void run_script(const std::string& script) {
  namespace fs = std::filesystem;
  const fs::path source = fs::path(HEBB_SOURCE_DIR) / "tests" / "capture" / "node";
  const fs::path work = fs::current_path() / "node-oracles";
  const std::string command = "'" + (source / "run.sh").string() + "' '" + source.string() + "' '" +
                              work.string() + "' '" + HEBB_BINARY + "' " + script + " 2>&1";
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string out;
  char buffer[4096];
  for (std::size_t got = 0; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    out.append(buffer, got);
  const int status = pclose(pipe);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kSkipped) {
    WARN("hebb-test-skipped: " << out);
    return;
  }
  INFO(out);
  CHECK(status == 0);
}

}  // namespace

TEST_CASE("record: official client and servers, with and without the recorder") {
  run_script("sdk.mjs");
}

TEST_CASE("record: the stateless era of the protocol") { run_script("modern.mjs"); }

TEST_CASE("record: the official SDK's server over streamable HTTP") { run_script("http.mjs"); }

TEST_CASE("export: OpenTelemetry's own parser reads the spans") { run_script("otlp.mjs"); }
