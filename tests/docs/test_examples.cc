// The examples: SQL in the plain sqlite3 shell, and the units of systemd.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include <catch2/catch.hpp>

#include "tests/docs/page.h"

using hebb::test::in_backticks;
using hebb::test::Page;
using hebb::test::Shell;
namespace fs = std::filesystem;

namespace {

constexpr const char* kHistory =
    R"({"kind":"node","at":1700000001000,"id":"label-bug","type":"LABEL"}
{"kind":"node","at":1700000001000,"id":"a","type":"TASK","state":"OPEN","name":"First"}
{"kind":"node","at":1700000001000,"id":"b","type":"TASK","state":"OPEN","name":"Second"}
{"kind":"edge","at":1700000002000,"source":"a","target":"label-bug","type":"LABELED_AS"}
{"kind":"edge","at":1700000002000,"source":"b","target":"a","type":"DEPENDS_ON"}
{"kind":"outcome","at":1700000003000,"taskId":"a","outcome":"failure"}
{"kind":"outcome","at":1700000004000,"taskId":"a","outcome":"failure"}
{"kind":"outcome","at":1700000005000,"taskId":"a","outcome":"failure"}
{"kind":"outcome","at":1700000006000,"taskId":"a","outcome":"partial"}
{"kind":"outcome","at":1700000007000,"taskId":"a","outcome":"failure"}
{"kind":"outcome","at":1700000008000,"taskId":"a","outcome":"success","relatedNodes":["b"]}
{"kind":"state","at":1700000009000,"id":"a","state":"OPEN"}
{"kind":"outcome","at":1700000010000,"taskId":"missing","outcome":"success"}
)";

// The rows that a file in examples/sql prints, fields separated by |.
std::string rows_of(Shell& shell, const std::string& file, const std::string& options = "") {
  const auto result = shell.run("sqlite3 -readonly " + options + " hebb.db < examples/sql/" + file);
  INFO(file << ": " << result.output);
  CHECK(result.code == 0);
  return result.output;
}

std::string project_file(const std::string& path) {
  std::ifstream in(fs::path(HEBB_SOURCE_DIR) / path, std::ios::binary);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The value of the one line KEY=value.
std::string unit_value(const std::string& unit, const std::string& key) {
  const auto at = unit.find('\n' + key + '=');
  REQUIRE(at != std::string::npos);
  const auto from = at + key.size() + 2;
  return unit.substr(from, unit.find('\n', from) - from);
}

}  // namespace

TEST_CASE("SQL of the examples answers in the plain shell") {
  Shell shell;
  shell.write("history.jsonl", kHistory);
  CHECK(shell.run("hebb import history.jsonl").code == 3);
  REQUIRE(shell.run("hebb --now 1700000020000 recalibrate").code == 0);

  SECTION("top.sql gives what rank gives") {
    const std::string rows = rows_of(shell, "top.sql");
    const std::string first = shell.run("hebb -q rank --limit 1 --format ids").output;
    CHECK(rows.starts_with("1|" + first.substr(0, first.size() - 1) + "|"));
    CHECK(std::count(rows.begin(), rows.end(), '\n') == 2);
  }
  SECTION("edge_history.sql lists the events of an edge") {
    const auto options = [](const std::string& s, const std::string& t, const std::string& y) {
      return "-cmd '.parameter set :source " + s + "' -cmd '.parameter set :target " + t +
             "' -cmd '.parameter set :type " + y + "'";
    };
    const auto lines = [&](const std::string& s, const std::string& t, const std::string& y) {
      const std::string rows = rows_of(shell, "edge_history.sql", options(s, t, y));
      return std::count(rows.begin(), rows.end(), '\n');
    };
    CHECK(lines("b", "a", "DEPENDS_ON") == 1);
    CHECK(lines("a", "b", "REWARD_POSITIVE") == 1);
    CHECK(lines("a", "label-bug", "REWARD_NEGATIVE") == 4);
    CHECK(lines("frontier", "a", "REWARD_NEGATIVE") == 5);  // and the success that forgives
    CHECK(lines("frontier", "a", "GUIDES") == 5);           // and the recalibration
    CHECK(lines("b", "a", "BLOCKS") == 0);
  }
  SECTION("failing.sql counts by context") {
    CHECK(rows_of(shell, "failing.sql") == "label-bug|1|4|20.0\n");
  }
  SECTION("stale.sql says how far behind the mirror is") {
    const std::string rows = rows_of(shell, "stale.sql");
    CHECK(rows.ends_with("|0|1\n"));  // nothing behind, one dead letter
    CHECK_FALSE(rows.starts_with("|"));
  }
}

TEST_CASE("stale.sql says so where nothing was ever recalibrated") {
  Shell shell;
  REQUIRE(shell.run("hebb init").code == 0);
  CHECK(rows_of(shell, "stale.sql") == "|0|0\n");
}

TEST_CASE("each service runs a command that works, and takes its busy exit for success") {
  const std::string name = GENERATE("recalibrate", "prune");
  CAPTURE(name);
  const std::string service = project_file("examples/systemd/hebb-" + name + ".service");
  Shell shell;
  REQUIRE(shell.run("hebb init").code == 0);
  std::string command = unit_value(service, "ExecStart");
  const std::string installed = "%h/.local/bin/";  // where the README installs it
  REQUIRE(command.starts_with(installed));
  command.erase(0, installed.size());
  CHECK(shell.run(command).code == 0);
  CHECK(unit_value(service, "Type") == "oneshot");
  // Another process writes.
  const std::string busy =
      "{ echo 'BEGIN IMMEDIATE;'; echo '.shell touch locked; while [ ! -e done ]; do sleep 0.02; "
      "done'; } "
      "| sqlite3 hebb.db & while [ ! -e locked ]; do sleep 0.02; done; " +
      command + "; code=$?; touch done; wait; exit $code";
  CHECK(std::to_string(shell.run(busy).code) == unit_value(service, "SuccessExitStatus"));
}

TEST_CASE("each timer belongs to its service") {
  CHECK(fs::exists(fs::path(HEBB_SOURCE_DIR) / "examples/systemd/hebb-prune.timer"));
  const std::string prune = project_file("examples/systemd/hebb-prune.timer");
  CHECK(unit_value(prune, "OnCalendar") == "*-*-* 03:30:00");
  CHECK(unit_value(prune, "WantedBy") == "timers.target");

  CHECK(fs::exists(fs::path(HEBB_SOURCE_DIR) / "examples/systemd/hebb-recalibrate.timer"));
  const std::string timer = project_file("examples/systemd/hebb-recalibrate.timer");
  CHECK(unit_value(timer, "OnCalendar") == "*:0/15");
  CHECK(unit_value(timer, "WantedBy") == "timers.target");
}

TEST_CASE("every folder of the examples is listed") {
  std::set<std::string> documented, actual;
  for (const auto& table : Page("examples/README.md").tables()) {
    for (const auto& row : table.rows) documented.insert(in_backticks(row.at(0)).at(0));
  }
  for (const auto& entry : fs::directory_iterator(fs::path(HEBB_SOURCE_DIR) / "examples")) {
    if (entry.is_directory()) actual.insert(entry.path().filename().string() + "/");
  }
  CHECK(documented == actual);
}
