// Commands that write a file, called without one; and links of tools that have faded.
#include <regex>
#include <string>

#include <catch2/catch.hpp>

#include "tests/cli/hebb.h"
#include "tests/support/terminal.h"

using hebb::test::Hebb;

TEST_CASE("without a file, export writes to a pipe, and to no terminal") {
  const Hebb hebb;
  hebb.fill();
  const auto piped = hebb.run({"export"});
  INFO(piped.err);
  CHECK(piped.exit_code == 0);
  CHECK(piped.out.size() > 1000);
  CHECK(piped.out == hebb.run({"export", "-"}).out);
  CHECK(piped.err.empty());

  const auto shown = hebb::test::run_on_terminal({HEBB_BINARY, "--db", hebb.db(), "export"});
  CHECK(shown.exit_code == 2);
  CHECK((shown.out + shown.err).find("`hebb export FILE`") != std::string::npos);
  const auto backup = hebb.run({"backup"});
  CHECK(backup.exit_code == 2);
  CHECK(backup.err.find("FILE") != std::string::npos);
}

TEST_CASE("links of a tool that have faded are counted, with the time at which they held") {
  Hebb hebb;
  const std::string trace =
      R"(__TRACE__{"type":"tool_start","tool":"fs:read","trace_id":"1","ts":1701792000000}
__TRACE__{"type":"tool_end","trace_id":"1","success":true,"duration_ms":5}
__TRACE__{"type":"tool_start","tool":"json:parse","trace_id":"2","ts":1701792000010}
__TRACE__{"type":"tool_end","trace_id":"2","success":true,"duration_ms":5}
)";
  const auto learned = hebb.run({"trace", "--summary"}, trace);
  CHECK(learned.err.find("2 tools, 1 link") != std::string::npos);
  const auto now = hebb.run({"tools", "suggest", "fs:read"});
  CHECK(now.exit_code == 0);
  CHECK(now.out == "nothing is known to go with fs:read\n");
  CHECK(now.err.find("1 link of fs:read has faded since, the latest last seen 2023-12-05") !=
        std::string::npos);
  const auto json = hebb.json({"tools", "suggest", "fs:read"});
  CHECK(json["suggestions"].empty());
  CHECK(json["faded"] == 1);
  CHECK(json["faded_last_seen"] == "2023-12-05T16:00:00.015Z");

  std::smatch named;
  REQUIRE(std::regex_search(now.err, named, std::regex("--now '([^']+)'")));
  hebb.now = named[1];
  CHECK(hebb.run({"tools", "suggest", "fs:read"}).out.find("json:parse") != std::string::npos);
}
