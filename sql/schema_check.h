// Whether a database still has all that the schema made, and what can be made again without loss.
#pragma once

#include <string>
#include <vector>

#include "sql/database.h"

namespace hebb::sql {

struct SchemaFault {
  std::string type, name;   // "table", "view", "index", "trigger"; its name
  std::string what;         // "is missing", "is not as the schema has it", "lacks the column NAME"
  bool restorable = false;  // holds nothing of its own: restore_schema() makes it again
};

// Compares with a fresh database of the newest schema. What others added is no fault.
std::vector<SchemaFault> check_schema(Database& db);

// Makes views, indexes and triggers that are missing or changed as the schema has them.
// Precondition: inside a write transaction.
void restore_schema(Database& db);

}  // namespace hebb::sql
