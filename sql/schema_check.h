// Finds objects of the schema that a database lacks or has changed; makes the ones without data
// anew.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sql/database.h"

namespace hebb::sql {

struct SchemaFault {
  std::string type, name;   // type: "table", "view", "index" or "trigger"
  std::string what;         // "is missing", "is not as the schema has it", "lacks the column NAME"
  bool restorable = false;  // it holds no data, so restore_schema() can make it again
  std::string text;         // the SQL that makes it
};

// Compares with a fresh database of the newest schema. Additional objects are not faults.
std::vector<SchemaFault> check_schema(Database& db);

// What is wrong with the first trigger of the file that hebb did not make, or that was changed;
// nullopt: nothing. SQLite runs triggers when the table is written to, so nothing is written while
// there is one: Database looks whenever the schema was changed, under the write lock.
std::optional<std::string> foreign_trigger(Database& db);

// Tables, views and indexes that hebb did not make: "view NAME". None of hebb's queries reads them,
// and none is removed.
std::vector<std::string> foreign_objects(Database& db);

// Makes views, indexes and triggers that are missing or changed as the schema has them. Throws
// Error with corrupt(), and changes nothing, if a table is missing or lacks a column. Precondition:
// inside a write transaction.
void restore_schema(Database& db);

}  // namespace hebb::sql
