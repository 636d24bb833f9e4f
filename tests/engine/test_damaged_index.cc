// Indexes that do not have the rows of their tables: verify names them, a rebuild makes them anew,
// and the ledger is checked without them.
#include <algorithm>

#include <catch2/catch.hpp>

#include "tests/engine/index_support.h"
#include "tests/support/folder.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

bool any_has(const std::vector<std::string>& lines, std::string_view text,
             std::string_view more = "") {
  return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
    return line.find(text) != std::string::npos && line.find(more) != std::string::npos;
  });
}

// A database that has a row in each index of its schema. Returns the indexes.
std::vector<std::string> fill_all_indexes(const std::string& path) {
  Engine engine = open(path);
  engine.append({node(kStart, "a"), node(kStart, "b"), link(kStart + 1, "a", "RELATES", "b", 1),
                 policy(kStart + 2, {{"prior", "0.7"}}), failure(kStart + 3, "a")});
  engine.sync();
  auto& db = tables_of(engine);
  db.exec(
      "INSERT INTO dead_letter (at, format, reason, detail, file, line, text)"
      " VALUES (1, 'history', 'not_json', '', 'f', 1, x'00');"
      "INSERT INTO recall SELECT key, 1, 1 FROM node; INSERT INTO recall_search VALUES (1, 1, 1);"
      "INSERT INTO action_log (id, agent_id, session_id, sequence_id, timestamp, tool, success,"
      " duration_ms, args_bytes, args) VALUES ('i', 'a', 's', 'q', 1, 't', 1, 1, 2, '{}')");
  std::vector<std::string> names;
  auto& objects = db.query(sql::Query::schema_objects);
  const sql::Reset reset(objects);
  while (objects.step()) {
    if (objects.text(0) == "index") names.emplace_back(objects.text(1));
  }
  const auto made_by_sqlite = db.scalar(
      "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND name LIKE 'sqlite_autoindex%'");
  for (const char* table : {"event", "node", "edge_type", "action_log"})
    names.push_back("sqlite_autoindex_" + std::string(table) + "_1");
  REQUIRE(made_by_sqlite == 4);
  return names;
}

TEST_CASE("each index that does not fit its table is found, and a rebuild mends it", "[sqlite]") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  const auto indexes = fill_all_indexes(path);
  const std::string expected = dump(open(path).state());
  for (const std::string& index : indexes) {
    CAPTURE(index);
    REQUIRE(change_index(path, index, "DELETE FROM imposter") > 0);
    Engine engine = open(path);
    CHECK(any_has(engine.verify(), index, "`hebb rebuild` mends it"));
    engine.rebuild();
    CHECK(engine.verify() == std::vector<std::string>{});
    CHECK(difference(dump(engine.state()), expected) == "");
  }
}

TEST_CASE("a damaged index hides no damage of the ledger", "[sqlite]") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  fill_all_indexes(path);
  {
    Engine engine = open(path);
    tables_of(engine).exec("UPDATE event SET payload = 'x' WHERE position = 3");
  }
  REQUIRE(change_index(path, "event_wide", "DELETE FROM imposter") > 0);
  Engine engine = open(path);
  const auto problems = engine.verify();
  CHECK(any_has(problems, "index: ", "event_wide"));
  CHECK(any_has(problems, "ledger: event 3"));
  CHECK_THROWS_AS(engine.rebuild(), DamagedLedger);
  CHECK(any_has(engine.verify(), "index: ", "event_wide"));  // all is as it was
}

TEST_CASE("where rows are the same that must differ, a rebuild says so and changes nothing",
          "[sqlite]") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  fill_all_indexes(path);
  REQUIRE(change_index(path, "sqlite_autoindex_node_1", "DELETE FROM imposter") > 0);
  Engine engine = open(path);
  auto& db = tables_of(engine);
  {
    sql::Transaction transaction(db);
    db.exec("INSERT INTO node (id) VALUES ('a')");
    transaction.commit();
  }
  CHECK_THROWS_WITH(engine.rebuild(), Catch::Contains("restore a backup"));
  CHECK(db.scalar("SELECT count(*) FROM node NOT INDEXED WHERE id = 'a'") == 2);
}

}  // namespace
}  // namespace hebb::test
