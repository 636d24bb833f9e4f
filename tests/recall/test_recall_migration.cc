// A database made before recall and search were there: everything is added, nothing is touched.
#include <fstream>
#include <iterator>
#include <string>

#include <catch2/catch.hpp>

#include "engine/recall/recall.h"
#include "sql/database.h"
#include "tests/support/history.h"

using namespace hebb;
using hebb::test::kStart;
using Mode = sql::Database::Mode;

namespace {

std::string old_schema() {
  std::ifstream in(HEBB_SOURCE_DIR "/tests/capture/data/schema_1.sql");
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

sql::Database old_database() {
  sql::Database db(":memory:", Mode::read_write_create);
  db.exec(old_schema());
  db.exec(
      "PRAGMA user_version=1;"
      "INSERT INTO node (key, id, type, name, description, created_at, updated_at) VALUES"
      " (7, 't7', 'TASK', 'flaky login', 'fails on Mondays', 1, 2),"
      " (9, 't9', 'TASK', '', 'logout \u4fee\u590d\u767b\u5f55 signInForm', 1, 2);"
      "INSERT INTO event VALUES (1, 1, 'node', 't7', '1:x', '{}', NULL);");
  return db;
}

std::string objects(sql::Database& db) {
  std::string all;
  for (const auto* name :
       {"recall", "recall_count", "recall_search", "recall_search_day", "node_search",
        "node_search_insert", "node_search_update", "node_search_delete"}) {
    const auto length =
        db.scalar("SELECT length(sql) FROM sqlite_schema WHERE name = '" + std::string(name) + "'");
    CHECK(length > 0);
    all += std::string(name) + " " + std::to_string(length) + "\n";
  }
  return all;
}

recall::SearchQuery words(const std::string& text) {
  recall::SearchQuery query;
  query.text = text;
  return query;
}

}  // namespace

TEST_CASE("an older database gets counters and search, and keeps what it had") {
  auto db = old_database();
  SECTION("of the first version") {}
  SECTION("without counters at all") { db.exec("DROP TABLE recall"); }
  sql::migrate(db);
  CHECK(db.scalar("PRAGMA user_version") == sql::schema_version());
  CHECK(db.scalar("SELECT count(*) FROM node") == 2);
  CHECK(db.scalar("SELECT updated_at FROM node WHERE key = 7") == 2);
  CHECK(db.scalar("SELECT count(*) FROM event") == 1);
  CHECK(db.scalar("SELECT count(*) FROM recall") == 0);

  const auto found = recall::search_nodes(db, words("login"), kStart);
  REQUIRE(found.size() == 1);
  CHECK(found[0].id == "t7");
  CHECK(found[0].recall_count == 0);
  for (const char* text : {"form", "\u590d\u767b"}) {
    const auto piece = recall::search_nodes(db, words(text), kStart);
    REQUIRE(piece.size() == 1);
    CHECK(piece[0].id == "t9");
  }
  CHECK(db.scalar("SELECT recall_count FROM recall WHERE node = 7") == 1);
  db.exec("UPDATE node SET name = 'signin' WHERE key = 7; DELETE FROM node WHERE key = 9");
  CHECK(recall::search_nodes(db, words("login"), kStart).empty());
  CHECK(recall::search_nodes(db, words("logout"), kStart).empty());
  CHECK(recall::search_nodes(db, words("signin"), kStart).size() == 1);
  db.exec("INSERT INTO node_search (node_search, rank) VALUES ('integrity-check', 1)");

  sql::Database fresh(":memory:", Mode::read_write_create);
  sql::migrate(fresh);
  CHECK(objects(db) == objects(fresh));
  sql::migrate(db);  // again: nothing to do
  CHECK(db.scalar("SELECT count(*) FROM node") == 1);
}

TEST_CASE("an older database keeps its edges, policy, dead letters and actions") {
  auto db = old_database();
  db.exec(
      "INSERT INTO edge_type VALUES (1, 'BLOCKS', 0, 0, 0, 1, 20, NULL, 1, 1, 0);"
      "INSERT INTO edge VALUES (7, 9, 1, 2.5, 3, 0.5, '{\"a\":1}');"
      "INSERT INTO policy VALUES ('prior', '0.7');"
      "INSERT INTO progress VALUES ('outcome::abc', 1000);"
      "INSERT INTO dead_letter VALUES (4, 5, 'outcome', 'unknown_task', 'why', 'f', 6, CAST('one' "
      "AS BLOB)),"
      " (5, 5, 'history', 'not_json', 'why', 'g', 8, CAST('two' AS BLOB));"
      "INSERT INTO action_log (agent_id, session_id, sequence_id, timestamp, tool, args, "
      "args_bytes,"
      " success, duration_ms, reward) VALUES ('a', 's', 'q', 1, 't', '{}', 2, 1, 3.5, 0.25);");
  sql::migrate(db);
  for (const auto* same :
       {"SELECT count(*) FROM edge WHERE (source, target, type, weight, touched_at, gained,"
        " properties) = (7, 9, 1, 2.5, 3, 0.5, '{\"a\":1}')",
        "SELECT count(*) FROM edge_type WHERE name = 'BLOCKS' AND cap = 20",
        "SELECT count(*) FROM policy WHERE (key, value) = ('prior', '0.7')",
        "SELECT count(*) FROM dead_letter WHERE (id, at, format, reason, detail, file, line, text) "
        "="
        " (4, 5, 'outcome', 'unknown_task', 'why', 'f', 6, CAST('one' AS BLOB))",
        "SELECT count(*) FROM dead_letter WHERE id = 5 AND text = CAST('two' AS BLOB)",
        "SELECT count(*) = 2 FROM dead_letter WHERE bytes IS NULL AND hash IS NULL",
        "SELECT count(*) FROM action_log WHERE (sequence_id, tool, duration_ms, reward) ="
        " ('q', 't', 3.5, 0.25) AND transport = 'stdio' AND app_name IS NULL AND position = 1"}) {
    CAPTURE(same);
    CHECK(db.scalar(same) == 1);
  }
}

TEST_CASE("calls of an older database get ids in the order of the calls") {
  auto db = old_database();
  db.exec(
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)"
      "INSERT INTO action_log (agent_id, session_id, sequence_id, timestamp, tool, args, "
      "args_bytes,"
      " success, duration_ms, app_name)"
      " SELECT 'a', 's', 'q', 1767225600000 + i / 100, 't', '{}', 2, 1, 1,"
      " CASE WHEN i % 2 THEN 'app' ELSE '' END FROM n;");
  sql::migrate(db);
  CHECK(db.scalar("SELECT count(DISTINCT id) FROM action_log") == 300);
  CHECK(db.scalar("SELECT count(*) FROM action_log WHERE id GLOB "
                  "'019b76da-a80[0-3]-7[0-9a-f][0-9a-f][0-9a-f]-[89ab][0-9a-f][0-9a-f][0-9a-f]-*'"
                  " AND length(id) = 36") == 300);
  CHECK(db.scalar("SELECT count(*) FROM (SELECT id, lag(id) OVER (ORDER BY timestamp, position) AS "
                  "before FROM action_log) WHERE before >= id") == 0);
  CHECK(db.scalar("SELECT count(*) FROM action_log WHERE app_name IS NULL") == 150);
  // A number that was given is not given again, though its row is gone.
  db.exec("DELETE FROM action_log");
  db.exec(
      "INSERT INTO action_log (id, agent_id, session_id, sequence_id, timestamp, tool, args,"
      " args_bytes, success, duration_ms) VALUES ('x', 'a', 's', 'q', 1, 't', '{}', 2, 1, 1)");
  CHECK(db.scalar("SELECT position FROM action_log") == 301);

  sql::Database fresh(":memory:", Mode::read_write_create);
  sql::migrate(fresh);
  const auto shape =
      "SELECT sum(cid * 1000 + length(name) * 100 + length(type) * 10 + \"notnull\" * 2 + pk)"
      " FROM pragma_table_info('action_log')";
  CHECK(db.scalar(shape) == fresh.scalar(shape));
  CHECK(db.scalar("SELECT count(*) FROM sqlite_schema WHERE tbl_name = 'action_log'") ==
        fresh.scalar("SELECT count(*) FROM sqlite_schema WHERE tbl_name = 'action_log'"));
}

TEST_CASE("counters that were there before are kept") {
  auto db = old_database();
  db.exec("INSERT INTO recall VALUES (7, 12, 34)");
  sql::migrate(db);
  const auto node = recall::get_node(db, "t7", kStart);
  REQUIRE(node);
  CHECK(node->recall_count == 12);
  CHECK(node->last_recalled_at == 34);
}
