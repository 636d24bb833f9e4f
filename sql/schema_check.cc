#include "sql/schema_check.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "sql/connection.h"
#include "sql/quote.h"
#include "sql/server_queries.h"

namespace hebb::sql {

namespace {

struct Object {
  std::string type, text;            // of its definition
  std::vector<std::string> columns;  // of a table
};
using Objects = std::map<std::string, Object>;  // by name

std::vector<std::string> words(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> all;
  for (std::string word; in >> word;) all.push_back(word);
  return all;
}

// The text with all blanks and line ends made equal, for comparing.
std::string plain(std::string_view text) {
  std::string out;
  for (const auto& word : words(text)) out += word + " ";
  return out;
}

Objects objects_of(Database& db) {
  Objects all;
  auto& rows = db.query(Query::schema_objects);
  const Reset reset(rows);
  while (rows.step()) {
    all[std::string(rows.text(1))] = {std::string(rows.text(0)), std::string(rows.text(2)),
                                      words(rows.text(3))};
  }
  return all;
}

std::string what_is_wrong(const Objects& have, const std::string& name, const Object& want) {
  const auto found = have.find(name);
  if (found == have.end()) return "is missing";
  const Object& object = found->second;
  // Tables are compared by column names only: a migration that adds columns changes their text.
  for (const auto& column : want.columns) {
    const auto& columns = object.columns;
    if (std::find(columns.begin(), columns.end(), column) == columns.end())
      return "lacks the column " + column;
  }
  const bool same =
      object.type == want.type && (want.type == "table" || plain(object.text) == plain(want.text));
  return same ? "" : "is not as the schema has it";
}

// The text of each trigger that the schema has.
std::set<std::string> own_triggers() {
  constexpr std::string_view kBegin = "CREATE TRIGGER ", kEnd = "END;";
  std::set<std::string> all;
  const std::string_view schema = schema_sql();
  for (auto at = schema.find(kBegin); at != schema.npos; at = schema.find(kBegin, at + 1)) {
    const auto end = schema.find(kEnd, at) + kEnd.size() - 1;
    all.insert(plain(schema.substr(at, end - at)));
  }
  return all;
}

// Whether it is a trigger that sql/server/moved.sql makes, with any message in place of {0}.
bool is_of_moved(std::string_view trigger) {
  constexpr std::string_view kMessage = "{0}";
  std::istringstream lines{std::string(server::moved)};
  for (std::string line; std::getline(lines, line);) {
    const auto at = line.find(kMessage);
    if (!line.starts_with("CREATE TRIGGER ") || at == line.npos) continue;
    const std::string before = line.substr(0, at);
    const std::string after = line.substr(at + kMessage.size(), line.rfind(';') - at - 3);
    if (trigger.size() < before.size() + after.size() || !trigger.starts_with(before) ||
        !trigger.ends_with(after))
      continue;
    const auto text = trigger.substr(before.size(), trigger.size() - before.size() - after.size());
    std::string message;
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
      message += text[i];
      if (text.substr(i, 2) == "''") ++i;
    }
    if (quoted_text(message) == text) return true;
  }
  return false;
}

}  // namespace

std::optional<std::string> foreign_trigger(Database& db) {
  static const std::set<std::string> own = own_triggers();
  constexpr auto kSql = "SELECT name, tbl_name, sql FROM main.sqlite_schema WHERE type = 'trigger'";
  const Prepared prepared = prepare(db.handle(), kSql, 0, "triggers");
  Statement triggers(prepared.get(), "triggers");
  while (triggers.step()) {
    if (own.contains(plain(triggers.text(2))) || is_of_moved(triggers.text(2))) continue;
    const std::string name(triggers.text(0));
    return "the trigger " + name + " on the table " + std::string(triggers.text(1)) +
           " is not hebb's, and SQLite would run it when hebb writes, so nothing is written: "
           "remove it with sqlite3 (DROP TRIGGER " +
           quoted_name(name) + "), then `hebb rebuild` makes hebb's own triggers anew";
  }
  return std::nullopt;
}

std::vector<std::string> foreign_objects(Database& db) {
  constexpr auto kSql =
      "SELECT type, name FROM main.sqlite_schema "
      "WHERE type <> 'trigger' AND name NOT LIKE 'sqlite%' ORDER BY name";
  const auto names_of = [&](Database& of) {
    const Prepared prepared = prepare(of.handle(), kSql, 0, "objects of the schema");
    Statement rows(prepared.get(), "objects of the schema");
    std::vector<std::string> names;
    while (rows.step())
      names.push_back(std::string(rows.text(0)) + " " + std::string(rows.text(1)));
    return names;
  };
  Database fresh(":memory:", Database::Mode::read_write_create);
  migrate(fresh);
  const auto own = names_of(fresh);
  auto all = names_of(db);
  std::erase_if(all, [&](const std::string& name) { return std::ranges::count(own, name) != 0; });
  return all;
}

std::vector<SchemaFault> check_schema(Database& db) {
  const Objects have = objects_of(db);
  Database fresh(":memory:", Database::Mode::read_write_create);
  migrate(fresh);
  std::vector<SchemaFault> faults;
  for (const auto& [name, want] : objects_of(fresh)) {
    auto what = what_is_wrong(have, name, want);
    if (what.empty()) continue;
    faults.push_back({want.type, name, std::move(what), want.type != "table", want.text});
  }
  return faults;
}

void restore_schema(Database& db) {
  const auto faults = check_schema(db);
  for (const SchemaFault& fault : faults) {
    if (!fault.restorable)
      throw Error(kCorrupt, "nothing was changed: the " + fault.type + " " + fault.name + " " +
                                fault.what + "; restore a backup");
  }
  for (const SchemaFault& fault : faults) {
    db.exec("DROP " + fault.type + " IF EXISTS main." + quoted_name(fault.name));
    db.exec(fault.text);
  }
}

}  // namespace hebb::sql
