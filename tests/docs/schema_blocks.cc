// The blocks of docs/schema.md: kinds of events, and the columns of each table and view.
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sqlite3.h>

#include "engine/ledger/event.h"
#include "sql/database.h"
#include "tests/docs/blocks.h"
#include "tests/support/process.h"

namespace hebb::test {

namespace {

// --- events --------------------------------------------------------------------------------------

struct Kind {
  Payload full;  // with all that such an event can have
  std::string subject, payload;
};

std::vector<Kind> kinds() {
  NodeUpsert node;
  node.type = node.state = node.name = node.description = node.project = node.scope = "x";
  node.properties = "{}";
  node.embedder = "external";
  node.priority = 1;
  node.due_at = node.snoozed_until = node.estimate = 1'700'000'000'000;
  node.because = "x";
  node.pinned = true;
  node.opens = false;
  OutcomeSignal outcome;
  outcome.related = std::vector<std::string>{"r"};
  outcome.contexts = {"c"};
  outcome.input = R"({"taskId":"t"})";
  outcome.token = 1;
  return {
      {node, "the node",
       "those that are set of `type`, `state`, `name`, `description`, `project`, `scope`, "
       "`properties`, `embedder`, `priority`, `due_at`, `snoozed_until`, `because`, "
       "`pinned`, `estimate`, `opens`. `priority`, the two times and `estimate` are null where "
       "they are taken back; an `embedder` without a vector found no word to make one from; "
       "`opens` as in `state`"},
      {NodeDelete{}, "the node", "empty"},
      {Link{"t", "T", 1, "{}"}, "the source", "`target`, `type`, `weight`, `properties` if given"},
      {Unlink{"t", "T"}, "the source", "`target`, `type`"},
      {StateChange{"OPEN", false}, "the node",
       "`state`; `opens`, if false: a node that is `CLOSED` stays so"},
      {outcome, "the task",
       "`outcome`, `score`, `related` and `contexts` as looked up on arrival, `input`: the object "
       "as it came, `token` if it came with that of a claim"},
      {Pivot{1}, "the target", "`weight`"},
      {Recalibration{{{"n", 1}}}, "`frontier`", "`guides`: array of `node`, `x`"},
      {PolicyChange{true, {{"prior", "1"}}}, "`policy`",
       "`replace`: start from the defaults; `settings`: array of [key, value]"},
      {Undo{1, "x", true, 2}, "`ledger`",
       "`event`: the position of what is undone; `damage`, of hebb before 0.4, which set damaged "
       "events aside: what is wrong with it; `repeats`: of hebb up to 0.2, where a completion was "
       "told twice; `last`: all up "
       "to this "
       "position, which one gc wrote"},
      {Forget{{{"s", "t", "T"}}, {"n"}}, "the node, or an end of the edge",
       "`edges`: array of [source, target, type]; `nodes`: array of ids. Together one; before hebb "
       "0.3 all that a gc removed, and the subject was `ledger`"},
      {Claim{"a", 1, true}, "the task",
       "`agent`, `expires_at`; up to 0.3 perhaps `expiry_is_failure`. The position of this event "
       "is the token of the claim"},
      {Renew{1, 1}, "the task", "`token`, `expires_at`"},
      {Release{1}, "the task", "`token`"},
  };
}

Rows event_kinds() {
  Rows rows;
  std::set<std::size_t> found;
  for (const Kind& kind : kinds()) {
    found.insert(kind.full.index());
    const std::string name(kind_name(kind.full));
    const auto json = nlohmann::json::parse(encode_payload(kind.full));
    for (const auto& [field, value] : json.items()) {
      if (kind.payload.find(code(field)) == std::string::npos)
        throw std::logic_error("kinds() does not say what " + field + " of " + name + " is");
    }
    rows.push_back({code(name), kind.subject, kind.payload});
  }
  if (found.size() != std::variant_size_v<Payload>)
    throw std::logic_error("kinds() lacks a kind of event");
  return rows;
}

// Which kinds come before others of the same time.
Rows event_keys() {
  std::map<std::string, std::vector<std::string>> by_digit;
  for (const Kind& kind : kinds())
    by_digit[event_key(kind.full, "x").substr(0, 1)].push_back(
        code(std::string(kind_name(kind.full))));
  Rows rows;
  for (const auto& [digit, names] : by_digit)
    rows.push_back({digit, fmt::format("{}", fmt::join(names, ", "))});
  rows.push_back(
      {std::string(kPositionKey.substr(0, 1)), "any event that came without a key of its own"});
  return rows;
}

// --- columns -------------------------------------------------------------------------------------

sql::Database fresh_database() {
  sql::Database db(":memory:", sql::Database::Mode::read_write_create);
  sql::migrate(db);
  return db;
}

// As texts, so that no statement of a test needs a file in sql/.
Rows query(sql::Database& db, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(db.handle(), sql.c_str(), -1, &statement, nullptr) != SQLITE_OK)
    throw std::runtime_error(sqlite3_errmsg(db.handle()));
  Rows rows;
  while (sqlite3_step(statement) == SQLITE_ROW) {
    auto& row = rows.emplace_back();
    for (int i = 0; i < sqlite3_column_count(statement); ++i)
      row.emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(statement, i)));
  }
  sqlite3_finalize(statement);
  return rows;
}

using Meanings = std::map<std::string, std::string>;  // by column

// The comments in sql/schema.sql, by table: beside a column and below it, and in lines
// "-- COLUMN: MEANING" of what has no line for each column.
const std::map<std::string, Meanings>& meanings() {
  static const std::map<std::string, Meanings> kAll = [] {
    const std::regex create(R"(CREATE (VIRTUAL )?(TABLE|VIEW) (\w+).*)"),
        beside(R"(  (\w+) .*?-- (.*))"), below(R"( {8,}-- (.*))"), named(R"(  -- (\w+): (.*))");
    std::map<std::string, Meanings> all;
    std::istringstream in(read_text(HEBB_SOURCE_DIR "/sql/schema.sql"));
    std::string table, column;
    std::smatch m;
    for (std::string line; std::getline(in, line);) {
      if (std::regex_match(line, m, create)) {
        table = m[3];
      } else if (std::regex_match(line, m, below)) {
        all[table][column] += " " + m[1].str();
      } else if (std::regex_match(line, m, named) || std::regex_match(line, m, beside)) {
        column = m[1];
        all[table][column] = m[2];
      }
    }
    return all;
  }();
  return kAll;
}

Rows columns_of(const std::string& table) {
  sql::Database db = fresh_database();
  Rows rows;
  const auto found = meanings().find(table);
  for (const auto& c : query(db, "SELECT name, type FROM pragma_table_info('" + table + "')")) {
    const std::string& name = c.at(0);
    if (found == meanings().end() || !found->second.contains(name))
      throw std::runtime_error("sql/schema.sql does not say what " + table + "." + name + " is");
    rows.push_back({code(name), c.at(1), found->second.at(name)});
  }
  return rows;
}

}  // namespace

Generators schema_blocks() {
  Generators blocks;
  blocks["event-kinds"] = table_block({"kind", "subject", "payload"}, event_kinds);
  blocks["event-keys"] = table_block({"digit", "kinds"}, event_keys);
  sql::Database db = fresh_database();
  for (const auto& found :
       query(db,
             "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND "
             "name NOT LIKE 'sqlite_%' AND name NOT LIKE 'node\\_search\\_%' ESCAPE '\\'")) {
    const std::string name = found.at(0);
    blocks["columns-" + name] =
        table_block({"column", "type", "meaning"}, [name] { return columns_of(name); });
  }
  return blocks;
}

}  // namespace hebb::test
