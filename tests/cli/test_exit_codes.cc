// Exit codes that scripts rely on, each produced by its cause.
#include <catch2/catch.hpp>
#include <unistd.h>

#include "engine/engine.h"
#include "sql/database.h"
#include "tests/cli/hebb.h"

using hebb::test::Hebb;
using hebb::test::ProcessResult;

namespace {

// A failure prints one or more lines that start with the program's name.
void check_failure(const ProcessResult& r, int code) {
  INFO(r.err);
  CHECK(r.exit_code == code);
  CHECK(r.err.find("hebb: ") != std::string::npos);
}

}  // namespace

TEST_CASE("0: done, and nothing but data on stdout") {
  const Hebb hebb;
  const auto r = hebb.run({"init"});
  CHECK(r.exit_code == 0);
  CHECK(r.err.empty());
  CHECK(hebb.run({"--version"}).exit_code == 0);
  CHECK(hebb.run({"rank", "--help"}).exit_code == 0);
}

TEST_CASE("1: failed") {
  const Hebb hebb;
  hebb.fill();
  check_failure(hebb.run({"explain", "nobody"}), 1);
  check_failure(hebb.run({"unlink", "task-1", "task-2", "NONE"}), 1);
  check_failure(hebb.run({"link", "task-1", "nobody", "BLOCKS"}), 1);
  check_failure(hebb.run({"undo", "4711"}), 1);
  check_failure(hebb.run({"ingest", "--strict", HEBB_SOURCE_DIR "/tests/golden/files/bad.ndjson"}),
                1);
  check_failure(hebb.run({"path", "task-4", "epic-1"}), 1);
}

TEST_CASE("2: bad usage", "[slow]") {
  const Hebb hebb;
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {},
           {"nonsense"},
           {"rank", "--limit", "many"},
           {"rank", "--format", "xml"},
           {"node"},
           {"gc"},
           {"gc", "--older-than", "1 fortnight"},
           {"ingest", "--format", "junit", "x.xml"},
           {"ingest", "--format", "outcome", "--task", "t", "x.json"},
           {"--db", "", "rank"},
           {"backup", "-"},
           {"trace", "--key", "", "--", "true"},
           {"promoted", "--min-recalls", "0"},
           {"policy", "set", "recency_exponent=-1"},
           {"explain", "a", "b"},
           {"rank", "--now", "-5"}}) {
    hebb.run({"init"});
    const auto r = hebb.run(args);
    INFO((args.empty() ? "" : args.front()));
    CHECK(r.exit_code == 2);
    CHECK_FALSE(r.err.empty());
    CHECK(r.out.empty());
  }
}

TEST_CASE("3: done, but some input was refused") {
  const Hebb hebb;
  hebb.run({"import", HEBB_SOURCE_DIR "/tests/golden/files/world.jsonl"});
  const auto r = hebb.run({"ingest", HEBB_SOURCE_DIR "/tests/golden/files/bad.ndjson"});
  check_failure(r, 3);
  CHECK(r.err.find("bad.ndjson:2: unknown_task") != std::string::npos);
  CHECK(hebb.json({"dead-letters", "list"})["dead_letters"].size() == 3);
  check_failure(hebb.run({"dead-letters", "retry", "--all"}), 3);
}

TEST_CASE("65: unreadable as its format") {
  const Hebb hebb;
  hebb.fill();
  check_failure(hebb.run({"ingest", "--format", "junit", "--task", "task-1", "-"}, "<testsuite"),
                65);
  check_failure(hebb.run({"ingest", "--format", "junit", "--task", "task-1", "-"},
                         R"({"taskId":"task-2","outcome":"failure"})"),
                65);
  check_failure(hebb.run({"policy", "load", "-"}, "failure_penalty ="), 65);
  check_failure(hebb.run({"rank", "--vector", "-"}, "[1, "), 65);
}

TEST_CASE("66: no such file, and no database made for it") {
  const Hebb hebb;
  check_failure(hebb.run({"import", "missing.jsonl"}), 66);
  check_failure(hebb.run({"rank"}), 69);
  hebb.fill();
  check_failure(hebb.run({"import", "missing.jsonl"}), 66);
  check_failure(hebb.run({"import", "."}), 66);
  check_failure(hebb.run({"policy", "load", "missing.toml"}), 66);
  check_failure(hebb.run({"rank", "--vector", "missing.json"}), 66);
}

TEST_CASE("69: the database cannot be opened") {
  const Hebb hebb;
  check_failure(hebb.run({"rank"}), 69);
  CHECK(hebb.run({"rank"}).err.find("init") != std::string::npos);
  check_failure(hebb.run({"--db", hebb.file("no/such/folder.db"), "init"}), 69);
  hebb::test::write_text(hebb.file("text.db"), std::string(5000, 'x'));
  check_failure(hebb.run({"--db", hebb.file("text.db"), "rank"}), 69);
  hebb.run({"init"});
  hebb::sql::Database(hebb.db(), hebb::sql::Database::Mode::read_write)
      .exec("PRAGMA user_version = 9999");
  check_failure(hebb.run({"rank"}), 69);
}

TEST_CASE("75: another process is writing") {
  const Hebb hebb;
  hebb.fill();
  hebb::sql::Database other(hebb.db(), hebb::sql::Database::Mode::read_write);
  {
    const hebb::sql::Transaction lock(other);
    check_failure(hebb.run({"recalibrate", "--no-wait"}), 75);
    // Readers do not wait.
    CHECK(hebb.run({"rank"}).exit_code == 0);
    CHECK(hebb.run({"node", "get", "task-1"}).exit_code == 0);
  }
  CHECK(hebb.run({"recalibrate", "--no-wait"}).exit_code == 0);

  // Nor where the mirror is behind what was written last.
  {
    hebb::Engine engine({.path = hebb.db()});
    hebb::Event event;
    event.at = 1'767'571'200'000;
    event.subject = "fresh";
    hebb::NodeUpsert upsert;
    upsert.type = "TASK";
    upsert.state = "OPEN";
    event.payload = upsert;
    engine.append(event);
  }
  const hebb::sql::Transaction lock(other);
  CHECK(hebb.run({"rank", "--limit", "99"}).out.find("fresh") != std::string::npos);
  CHECK(hebb.run({"search", "login"}).exit_code == 0);
  CHECK(hebb.run({"explain", "fresh"}).exit_code == 0);
}

TEST_CASE("the folder of a named database is not made") {
  const Hebb hebb;
  hebb::test::ProcessOptions options;
  options.env = {{"HEBB_DB", hebb.file("typo/hebb.db")}};
  check_failure(hebb::test::run_process({HEBB_BINARY, "init"}, options), 69);
  CHECK(::access(hebb.file("typo").c_str(), F_OK) != 0);
  options.env = {{"HEBB_DB", ""}, {"XDG_STATE_HOME", hebb.file("state")}};
  options.folder = hebb.file("");  // no database of a folder is above it
  CHECK(hebb::test::run_process({HEBB_BINARY, "add", "x"}, options).exit_code == 0);
  CHECK(::access(hebb.file("state/hebb/hebb.db").c_str(), F_OK) == 0);
}

TEST_CASE("a broken pipe ends the program without a word") {
  const Hebb hebb;
  hebb.fill();
  hebb::test::ProcessOptions options;
  options.env = {{"HEBB", HEBB_BINARY}, {"HEBB_DB", hebb.db()}};
  // The reader is gone before the first byte.
  const auto r = hebb::test::run_process(
      {"bash", "-c", "exec 3> >(true); wait $!; \"$HEBB\" manpage >&3; echo $?"}, options);
  CHECK(r.err.empty());
  CHECK(r.out == "141\n");
}

TEST_CASE("a full disk under stdout is a failure") {
  const Hebb hebb;
  hebb::test::ProcessOptions options;
  options.env = {{"HEBB", HEBB_BINARY}};
  const auto r =
      hebb::test::run_process({"/bin/sh", "-c", "\"$HEBB\" manpage > /dev/full"}, options);
  check_failure(r, 1);
}
