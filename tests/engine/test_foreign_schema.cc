// Tables, views, indexes and triggers in a database that hebb did not make: a database may come
// from anybody.
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "sql/quote.h"
#include "sql/schema_check.h"
#include "sql/server_queries.h"
#include "tests/engine/graph_cache_support.h"

namespace hebb::test {
namespace {

using Strings = std::vector<std::string>;

// Throws unless an sql::Error is thrown; what it says.
std::string error_of(const auto& action) {
  try {
    action();
  } catch (const sql::Error& e) {
    return e.what();
  }
  throw std::logic_error("no error was thrown");
}

bool stands_first(sql::Database& db, const std::string& name) {
  auto& first = db.query(sql::Query::first_table);
  const sql::Reset reset(first);
  return first.step() && first.text(0) == name;
}

TEST_CASE("the name of a view is no part of any SQL", "[sqlite]") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  engine.append(node(kStart, "a"));
  engine.sync();
  auto& db = tables_of(engine);
  std::string evil;
  for (int i = 0; i < 1000 && (evil.empty() || !stands_first(db, evil)); ++i) {
    if (!evil.empty()) db.exec("DROP VIEW " + sql::quoted_name(evil));
    evil = fmt::format("v{}\"; DROP TABLE recall; --", i);
    db.exec(fmt::format("CREATE VIEW {} AS SELECT 1", sql::quoted_name(evil)));
  }
  REQUIRE(stands_first(db, evil));  // in the order in which SQLite's own checks go
  CHECK(engine.verify() == Strings{});
  engine.rebuild();
  CHECK(engine.verify() == Strings{});
  CHECK(db.scalar("SELECT count(*) FROM sqlite_schema WHERE name = 'recall'") == 1);
  CHECK(sql::foreign_objects(db) == Strings{"view " + evil});
}

TEST_CASE("a trigger that hebb did not make never runs", "[sqlite]") {
  const auto* const trigger = GENERATE(
      "CREATE TRIGGER theirs AFTER INSERT ON event BEGIN DELETE FROM policy; END",
      "CREATE TRIGGER \"a\"\"b\" BEFORE UPDATE ON mirror BEGIN DELETE FROM policy; END",
      "DROP TRIGGER node_search_insert; "
      "CREATE TRIGGER node_search_insert AFTER INSERT ON node BEGIN DELETE FROM policy; END",
      "CREATE TRIGGER moved_event BEFORE INSERT ON event "
      "BEGIN SELECT raise(ABORT, 'x'); DELETE FROM policy; END");
  CAPTURE(trigger);
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  engine.append(node(kStart, "a"));
  engine.sync();
  auto& db = tables_of(engine);
  const auto policies = db.scalar("SELECT count(*) FROM policy");
  REQUIRE(policies > 0);
  {
    sql::Database other(dir.file("a.db"), sql::Database::Mode::read_write);
    other.exec(trigger);
  }
  const auto refused = [&](const auto& action) {
    const std::string error = error_of(action);
    CHECK(error.find("is not hebb's") != std::string::npos);
    CHECK(error.find("DROP TRIGGER \"") != std::string::npos);
  };
  refused([&] { engine.append(node(kStart + 1, "b")); });
  refused([&] { engine.rebuild(); });
  refused([&] { open(dir.file("a.db")).append(node(kStart + 1, "b")); });
  const auto problems = engine.verify();
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].starts_with("schema: the trigger "));
  CHECK(engine.rank({}).size() == 1);  // reading runs none
  CHECK(engine.ledger().last_position() == 1);
  CHECK(db.scalar("SELECT count(*) FROM policy") == policies);

  const auto begin = problems[0].find("(DROP TRIGGER ") + 1;
  db.exec(problems[0].substr(begin, problems[0].find("),", begin) - begin));
  engine.append(node(kStart + 1, "b"));
  engine.rebuild();
  CHECK(engine.verify() == Strings{});
}

TEST_CASE("the triggers of a database that has moved are hebb's", "[sqlite]") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  tables_of(engine).exec(
      fmt::format(fmt::runtime(sql::server::moved), sql::quoted_text("it's in 'b.db'")));
  CHECK(sql::foreign_trigger(tables_of(engine)) == std::nullopt);
  CHECK(error_of([&] { engine.append(node(kStart, "a")); }) == "it's in 'b.db'");
}

TEST_CASE("what somebody added for reports stays, and is named", "[sqlite]") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  engine.append(node(kStart, "a"));
  auto& db = tables_of(engine);
  db.exec(
      "CREATE VIEW report AS SELECT id FROM node; CREATE TABLE notes (id);"
      "CREATE INDEX by_name ON node (name)");
  engine.append(node(kStart + 1, "b"));
  engine.rebuild();
  CHECK(engine.verify() == Strings{});
  CHECK(sql::foreign_objects(db) == Strings{"index by_name", "table notes", "view report"});
  CHECK(db.scalar("SELECT count(*) FROM report") == 3);  // with the frontier
}

TEST_CASE("SQL cannot write to SQLite's own structures", "[sqlite]") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  auto& db = tables_of(engine);
  CHECK_THROWS_AS(db.exec("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema"), sql::Error);
  CHECK_THROWS_AS(db.exec("DELETE FROM node_search_data"), sql::Error);
  CHECK(engine.verify() == Strings{});
}

}  // namespace
}  // namespace hebb::test
