// Every SQL text of the project, against the schema it is written for.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include <catch2/catch.hpp>
#include <sqlite3.h>

#include "sql/database.h"
#include "sql/scratch_tables.h"
#include "sql/server_queries.h"

using hebb::sql::Database;
using hebb::sql::Query;
namespace fs = std::filesystem;

namespace {

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// What follows the first statement, without white space and comments.
std::string rest_after_first(Database& db, std::string_view sql) {
  const std::string whole(sql);
  const char* tail = nullptr;
  sqlite3_stmt* stmt = nullptr;
  sqlite3_prepare_v2(db.handle(), whole.c_str(), -1, &stmt, &tail);
  sqlite3_finalize(stmt);
  const int rc = sqlite3_prepare_v2(db.handle(), tail, -1, &stmt, nullptr);
  const bool something = rc != SQLITE_OK || stmt != nullptr;
  sqlite3_finalize(stmt);
  return something ? tail : "";
}

// The first line of SQLite's plan for a statement.
std::string first_step(Database& db, std::string_view sql) {
  const std::string explained = "EXPLAIN QUERY PLAN " + std::string(sql);
  sqlite3_stmt* stmt = nullptr;
  sqlite3_prepare_v2(db.handle(), explained.c_str(), -1, &stmt, nullptr);
  std::string line;
  if (sqlite3_step(stmt) == SQLITE_ROW) {
    line = reinterpret_cast<const char*>(sqlite3_column_text(stmt, 3));
  }
  sqlite3_finalize(stmt);
  return line;
}

// Nor empty lines.
std::string without_comments(const std::string& sql) {
  const std::string text = std::regex_replace(sql, std::regex(" *--[^\n]*"), "");
  return std::regex_replace(text, std::regex("\n\n+"), "\n");
}

}  // namespace

TEST_CASE("every query prepares against a fresh schema and is one statement") {
  Database db(":memory:", Database::Mode::read_write_create);
  hebb::sql::migrate(db);
  db.exec(hebb::sql::server::watch);    // and what a copy notes
  constexpr std::array<std::string_view, 2> kNames{"node", "edge_type"};
  const hebb::sql::ScratchTables scratch(db, kNames);
  for (int i = 0; i < hebb::sql::kQueryCount; ++i) {
    const auto query = static_cast<Query>(i);
    INFO(hebb::sql::name(query));
    CHECK_NOTHROW(db.query(query));
    CHECK(&db.query(query) == &db.query(query));
    CHECK(rest_after_first(db, hebb::sql::text(query)).empty());
  }
}

TEST_CASE("what is embedded is what the files say") {
  const fs::path dir = fs::path(HEBB_SOURCE_DIR) / "sql";
  CHECK(hebb::sql::schema_sql() == without_comments(content(dir / "schema.sql")));
  std::set<std::string> names;
  for (int i = 0; i < hebb::sql::kQueryCount; ++i) {
    const auto query = static_cast<Query>(i);
    names.emplace(hebb::sql::name(query));
    const fs::path file = dir / "queries" / (std::string(hebb::sql::name(query)) + ".sql");
    INFO(file);
    CHECK(hebb::sql::text(query) == content(file));
  }
  std::set<std::string> files;
  if (fs::exists(dir / "queries")) {
    for (const auto& entry : fs::directory_iterator(dir / "queries")) {
      if (entry.path().extension() == ".sql") files.insert(entry.path().stem());
    }
  }
  CHECK(names == files);
}

TEST_CASE("what belongs to one subject is found by the index, however long the ledger") {
  Database db(":memory:", Database::Mode::read_write_create);
  hebb::sql::migrate(db);
  for (const Query query :
       {Query::events_of_subject, Query::gcs_of_subject, Query::records_of_subject}) {
    INFO(hebb::sql::name(query));
    CHECK(first_step(db, hebb::sql::text(query)) ==
          "SEARCH event USING INDEX event_subject (subject=?)");
  }
}

TEST_CASE("every view of the schema can be read") {
  Database db(":memory:", Database::Mode::read_write_create);
  hebb::sql::migrate(db);
  for (const std::string view : {"edge_now", "golden_path", "outcome"}) {
    INFO(view);
    CHECK(db.scalar("SELECT count(*) FROM " + view) == 0);
  }
}

TEST_CASE("every table is STRICT") {
  Database db(":memory:", Database::Mode::read_write_create);
  hebb::sql::migrate(db);
  CHECK(db.scalar("SELECT count(*) FROM pragma_table_list WHERE schema = 'main' AND type = 'table' "
                  "AND strict = 0 AND name NOT LIKE 'sqlite_%'") == 0);
}

TEST_CASE("an undamaged fresh database passes SQLite's own check") {
  Database db(":memory:", Database::Mode::read_write_create);
  hebb::sql::migrate(db);
  CHECK(db.scalar("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'") == 1);
  CHECK(db.scalar("SELECT count(*) FROM pragma_foreign_key_check") == 0);
}
