// docs/schema.md against the database, the refusals, the events and the limits.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include "engine/input/input.h"
#include "engine/ledger/event.h"
#include "engine/values/refusals.h"
#include "sql/database.h"
#include "tests/docs/page.h"

using hebb::sql::Database;
using hebb::test::in_backticks;
using hebb::test::Page;
namespace fs = std::filesystem;

namespace {

const Page& schema_page() {
  static const Page schema("docs/schema.md");
  return schema;
}

std::vector<std::string> texts(Database& db, const std::string& sql) {
  // One text, so that no statement of this test needs a file in sql/.
  sqlite3_stmt* stmt = nullptr;
  std::vector<std::string> out;
  REQUIRE(sqlite3_prepare_v2(db.handle(), sql.c_str(), -1, &stmt, nullptr) == SQLITE_OK);
  while (sqlite3_step(stmt) == SQLITE_ROW) {
    out.emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(stmt, 0)));
  }
  sqlite3_finalize(stmt);
  return out;
}

Database fresh() {
  Database db(":memory:", Database::Mode::read_write_create);
  hebb::sql::migrate(db);
  return db;
}

std::set<std::string> tables_and_views(Database& db) {
  const auto names =
      texts(db,
            "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND "
            "name NOT LIKE 'sqlite_%' AND name NOT LIKE 'node\\_search\\_%' ESCAPE '\\'");
  return {names.begin(), names.end()};
}

}  // namespace

TEST_CASE("every table and view has a section, and every section a table or view") {
  Database db = fresh();
  const auto headings = schema_page().headings(3);
  CHECK(std::set<std::string>(headings.begin(), headings.end()) == tables_and_views(db));
}

TEST_CASE("every column is named in the section of its table, and nothing that is no column") {
  Database db = fresh();
  for (const std::string& name : tables_and_views(db)) {
    const auto columns = texts(db, "SELECT name FROM pragma_table_info('" + name + "')");
    const auto named = in_backticks(schema_page().section(name));
    for (const std::string& column : columns) {
      INFO(name << "." << column);
      CHECK(std::find(named.begin(), named.end(), column) != named.end());
    }
    for (const auto& table : schema_page().tables(name)) {
      if (table.head.front() != "column") continue;
      for (const auto& row : table.rows) {
        for (const std::string& column : in_backticks(row.front())) {
          INFO(name << " has no column " << column);
          CHECK(std::find(columns.begin(), columns.end(), column) != columns.end());
        }
      }
    }
  }
}

TEST_CASE("the page names the version of the schema") {
  CHECK(schema_page().text().find("the schema's version, now " +
                                  std::to_string(hebb::sql::schema_version()) + ".") !=
        std::string::npos);
}

TEST_CASE("every reason of a refusal is there, with its meaning") {
  std::map<std::string, std::string> documented;
  for (const auto& table : schema_page().tables("dead_letter")) {
    if (table.head.front() != "reason") continue;
    for (const auto& row : table.rows) documented[in_backticks(row.at(0)).at(0)] = row.at(1);
  }
  std::map<std::string, std::string> actual;
  for (const auto& [code, meaning] : hebb::refusal::kReasons) actual.emplace(code, meaning);
  CHECK(documented == actual);
}

TEST_CASE("every kind of event is there, with the fields of its payload") {
  using namespace hebb;
  NodeUpsert node;
  node.type = node.state = node.name = node.description = node.project = node.scope = "x";
  node.properties = "{}";
  node.embedder = "external";
  node.priority = 1;
  node.due_at = node.snoozed_until = 1'700'000'000'000;
  node.pinned = true;
  OutcomeSignal outcome;
  outcome.related = std::vector<std::string>{"r"};
  outcome.contexts = {"c"};
  outcome.input = R"({"taskId":"t"})";
  outcome.token = 1;
  const std::vector<Payload> payloads{
      node,
      NodeDelete{},
      Link{"t", "T", 1, "{}"},
      Unlink{"t", "T"},
      StateChange{"OPEN"},
      outcome,
      Pivot{1},
      Recalibration{{{"n", 1}}},
      PolicyChange{false, {{"prior", "1"}}},
      Undo{1},
      Forget{{{"s", "t", "T"}}, {"n"}},
      Claim{"a", 1, true},
      Renew{1, 1},
      Release{1},
  };
  REQUIRE(payloads.size() == std::variant_size_v<Payload>);
  std::map<std::string, std::string> documented;
  for (const auto& table : schema_page().tables("event")) {
    if (table.head.front() != "kind") continue;
    for (const auto& row : table.rows) documented[in_backticks(row.at(0)).at(0)] = row.at(2);
  }
  CHECK(documented.size() == payloads.size());
  for (const Payload& payload : payloads) {
    const std::string kind(kind_name(payload));
    INFO(kind);
    REQUIRE(documented.contains(kind));
    const auto named = in_backticks(documented.at(kind));
    const auto json = nlohmann::json::parse(encode_payload(payload));
    for (const auto& [field, value] : json.items()) {
      INFO(field);
      CHECK(std::find(named.begin(), named.end(), field) != named.end());
    }
    if (json.empty()) CHECK(documented.at(kind) == "empty");
  }
}

TEST_CASE("the limits are those of the readers") {
  using hebb::Limits;
  const auto tables = schema_page().tables("Limits");
  REQUIRE(tables.size() == 1);
  std::map<std::string, std::string> documented;
  for (const auto& row : tables.front().rows) documented[row.at(0)] = row.at(1);
  CHECK(documented ==
        std::map<std::string, std::string>{
            {"an id, type, state, agent or session", std::to_string(Limits::kIdBytes) + " bytes"},
            {"one item of input", hebb::size_text(Limits::kLineBytes)},
            {"a line of a log that `import` reads", hebb::size_text(Limits::kLogLineBytes)},
            {"what is kept of a longer item", hebb::size_text(Limits::kKeptBytes)},
            {"one input, unless `--max-size` says otherwise", hebb::size_text(Limits::kInputBytes)},
            {"an input that is held as a whole: a JSON array, issues, a JUnit report, anything "
             "with `--strict`",
             hebb::size_text(Limits::kDocumentBytes)},
            {"properties, as canonical JSON",
             std::to_string(Limits::kPropertiesBytes >> 10) + " KiB"},
            {"nesting of objects and arrays in an item", std::to_string(Limits::kDepth)},
            {"numbers in a vector", std::to_string(Limits::kVectorDimension)},
            {"`relatedNodes`", std::to_string(Limits::kRelatedNodes)},
            {"edge types, node types and states in a database",
             std::to_string(Limits::kNames) + " each"},
            {"a time", "the end of the year 9999"},
        });
}

TEST_CASE("every example in SQL is listed") {
  std::set<std::string> documented, actual;
  for (const auto& table : schema_page().tables("SQL that a scheduler can run")) {
    for (const auto& row : table.rows) documented.insert(in_backticks(row.at(0)).at(0));
  }
  for (const auto& entry : fs::directory_iterator(fs::path(HEBB_SOURCE_DIR) / "examples/sql")) {
    actual.insert(entry.path().filename());
  }
  CHECK(documented == actual);
}
