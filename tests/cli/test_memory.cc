// Commands that need more memory than there is end with an error that says so; they report no
// damage, and leave none.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/cli/hebb.h"

namespace hebb::test {

// The sanitizers reserve more address space than a limit may leave.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace {

ProcessResult run_within(const std::string& kilobytes, const std::vector<std::string>& args) {
  std::vector<std::string> all{"/bin/sh", "-c",      "ulimit -v $1; shift; exec \"$@\"",
                               "sh",      kilobytes, HEBB_BINARY};
  all.insert(all.end(), args.begin(), args.end());
  return run_process(all);
}

}  // namespace

TEST_CASE("a command without the memory that it needs says so and damages nothing", "[slow]") {
  const std::string history = HEBB_SOURCE_DIR "/examples/neo/history.jsonl";
  const Hebb hebb;
  REQUIRE(run_process({HEBB_BINARY, "--db", hebb.db(), "import", history}).exit_code == 0);
  const std::vector<std::vector<std::string>> commands{
      {"verify"},
      {"rebuild"},
      {"export", hebb.file("out.jsonl")},
      {"backup", hebb.file("copy.db"), "--force"},
      {"recalibrate"},
      {"gc", "--older-than", "1d"},
      {"backtest", history, "--since", "2030-01-01T00:00:00Z"},
      {"import", history},
  };
  int refused = 0, done = 0;
  // From what the program starts with to what all of these need.
  for (const char* kilobytes : {"18000", "20000", "22000", "25000", "30000", "60000"}) {
    if (run_within(kilobytes, {"--version"}).exit_code != 0) continue;
    for (const auto& command : commands) {
      std::vector<std::string> args{"--db", hebb.db()};
      args.insert(args.end(), command.begin(), command.end());
      const auto run = run_within(kilobytes, args);
      CAPTURE(kilobytes, command, run.out.substr(0, 1000), run.err);
      const bool lacked = run.err == "hebb: this needs more memory than there is\n";
      const bool has_result = run.exit_code == 0 || command.front() == "backtest";
      CHECK((lacked ? run.exit_code == 1 : has_result));
      CHECK(run.err.find("damaged") == std::string::npos);
      ++(lacked ? refused : done);
    }
  }
  CHECK(refused > 0);
  CHECK(done > 0);
  CHECK(hebb.run({"verify"}).exit_code == 0);
  CHECK(hebb.run({"--db", hebb.file("copy.db"), "verify"}).exit_code == 0);
}

#endif

}  // namespace hebb::test
