#include "sql/schema_check.h"

#include <algorithm>
#include <map>
#include <sstream>

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

}  // namespace

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
  for (const SchemaFault& fault : check_schema(db)) {
    if (!fault.restorable) continue;
    db.exec("DROP " + fault.type + " IF EXISTS " + fault.name);
    db.exec(fault.text);
  }
}

}  // namespace hebb::sql
