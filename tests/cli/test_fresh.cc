// A read is never out of date: the next process sees what one process took in, whether it asks hebb
// or SQLite.
#include <algorithm>

#include <catch2/catch.hpp>

#include "tests/cli/hebb.h"

using hebb::test::Hebb;
using hebb::test::lines_of;

namespace {

std::vector<std::string> ranked(const Hebb& hebb) {
  return lines_of(hebb.run({"rank", "--limit", "9", "--format", "ids"}).out);
}

// As a scheduler would poll: the mirror and nothing else, priorities as of the last recalibration.
std::vector<std::string> polled(const Hebb& hebb) {
  return lines_of(hebb::test::run_process({"sqlite3", "-separator", " ", hebb.db(),
                                           "SELECT id, priority FROM golden_path LIMIT 3"})
                      .out);
}

bool contains(const std::vector<std::string>& lines, const std::string& id) {
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
    return line == id || line.starts_with(id + " ");
  });
}

}  // namespace

TEST_CASE("an outcome that one process takes in is in the next one's ranking and in the view") {
  const Hebb hebb;
  hebb.run({"import", HEBB_SOURCE_DIR "/tests/golden/files/world.jsonl"});
  hebb.run({"recalibrate"});
  REQUIRE(contains(ranked(hebb), "task-1"));
  REQUIRE(polled(hebb).size() == 3);
  REQUIRE(contains(polled(hebb), "task-1"));
  REQUIRE_FALSE(contains(ranked(hebb), "task-4"));  // blocked by task-1

  hebb.run({"ingest", "-"}, R"({"taskId":"task-1","outcome":"success","id":"run-9"})");
  CHECK_FALSE(contains(ranked(hebb), "task-1"));
  CHECK_FALSE(contains(polled(hebb), "task-1"));
  CHECK(contains(ranked(hebb), "task-4"));
}

TEST_CASE("the view and --json agree") {
  const Hebb hebb;
  hebb.run({"import", HEBB_SOURCE_DIR "/tests/golden/files/world.jsonl"});
  hebb.run({"recalibrate"});
  const auto rows = hebb.json({"rank", "--limit", "9"})["tasks"];
  const auto view = nlohmann::json::parse(
      hebb::test::run_process({"sqlite3", "-json", hebb.db(), "SELECT * FROM golden_path"}).out);
  REQUIRE(rows.size() == view.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    REQUIRE(view[i].size() == 6);
    for (const auto& [key, shown] : view[i].items()) {
      INFO(i << " " << key);
      if (key == "pinned") {
        CHECK((shown == 1) == (rows[i].value("tier", "") == "pinned"));
        continue;
      }
      const auto& value = rows[i].at(key);
      if (value.is_number_float()) {
        CHECK(shown.get<double>() == Approx(value.get<double>()).epsilon(1e-12));
      } else {
        CHECK(shown == value);
      }
    }
  }
}

TEST_CASE("k failures push a task out of the top, seen by each next process") {
  const Hebb hebb;
  hebb.run({"import", HEBB_SOURCE_DIR "/tests/golden/files/world.jsonl"});
  hebb.run({"recalibrate"});
  const std::string first = ranked(hebb).front();
  double before = hebb.json({"rank", "--limit", "1"})["tasks"][0]["priority"];
  int failures = 0;
  while (ranked(hebb).front() == first && failures < 20) {
    const std::string id = "fail-" + std::to_string(++failures);
    hebb.run({"ingest", "-"},
             R"({"outcome":"failure","taskId":")" + first + R"(","id":")" + id + "\"}");
    const auto ranking = hebb.json({"rank", "--limit", "9"});
    for (const auto& row : ranking["tasks"]) {
      if (row["id"] != first) continue;
      CHECK(row["priority"].get<double>() < before);
      before = row["priority"];
    }
  }
  CHECK(failures < 20);
}

TEST_CASE("what was taken counts although its sums could not be printed") {
  const Hebb hebb;
  hebb.run({"node", "set", "a", "--type", "TASK", "--state", "OPEN"});
  const bool has_id = GENERATE(false, true);
  const std::string outcome = std::string(R"({"outcome":"failure","taskId":"a")") +
                              (has_id ? R"(,"id":"o1"})" : "}") + "\n";
  hebb::test::ProcessOptions options;
  options.in = outcome;
  const auto unread = hebb::test::run_process(
      {"/bin/sh", "-c", "\"$0\" --db \"$1\" --now \"$2\" ingest - >/dev/full", HEBB_BINARY,
       hebb.db(), hebb.now},
      options);
  CHECK(unread.exit_code == 1);
  const auto applied = [&] {
    return hebb.json({"ingest", "-"}, outcome)["files"][0]["applied"].get<int>();
  };
  // With an id it is the same one when it is given again, else another.
  CHECK(applied() == (has_id ? 0 : 1));
  CHECK(hebb.json({"stats"})["outcomes"] == (has_id ? 1 : 2));
}

TEST_CASE("an outcome of a task that is not there is an error that keeps nothing") {
  const Hebb hebb;
  for (int i = 0; i < 3; ++i) {
    const auto r = hebb.run({"outcome", "a", "failure"});
    CHECK(r.exit_code == 1);
    CHECK(r.err.find("there is no node \"a\"") != std::string::npos);
  }
  CHECK(hebb.json({"dead-letters", "list"})["dead_letters"].empty());
  hebb.run({"node", "set", "a", "--type", "TASK"});
  CHECK(hebb.run({"outcome", "a", "failure"}).exit_code == 0);
  CHECK(hebb.json({"stats"})["outcomes"] == 1);
}

TEST_CASE("every way to change the graph is seen by the next process") {
  const Hebb hebb;
  hebb.run({"node", "set", "a", "--type", "TASK", "--state", "OPEN"});
  hebb.run({"node", "set", "b", "--type", "TASK", "--state", "OPEN"});
  CHECK(ranked(hebb).size() == 2);
  hebb.run({"link", "a", "b", "BLOCKS"});
  CHECK(ranked(hebb) == std::vector<std::string>{"a"});
  hebb.run({"unlink", "a", "b", "BLOCKS"});
  CHECK(ranked(hebb).size() == 2);
  hebb.run({"node", "set", "a", "--state", "CLOSED"});
  CHECK(ranked(hebb) == std::vector<std::string>{"b"});
  hebb.run({"undo", std::to_string(hebb.json({"stats"})["events"].get<int>())});
  CHECK(ranked(hebb).size() == 2);
  hebb.run({"node", "delete", "b"});
  CHECK(ranked(hebb) == std::vector<std::string>{"a"});
  CHECK(hebb.run({"verify"}).exit_code == 0);
}
