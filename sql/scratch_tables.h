// Temporary tables with the names of tables of the schema. While they exist, statements that name
// these tables use them, since SQLite looks there first: so the code that writes the tables writes
// the scratch tables. SQL (EXCEPT) then finds the rows that differ from the file's tables, and only
// these are written.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "sql/database.h"

namespace hebb::sql {

class ScratchTables {
 public:
  // Makes them, empty. names: tables of the schema; a table stands before the tables that reference
  // it. Works within any transaction and on a read-only database.
  ScratchTables(Database& db, std::span<const std::string_view> names);
  // If they cannot be dropped, they would go on hiding the file's tables. So every later statement
  // of the connection fails then, except those that end a transaction.
  ~ScratchTables();
  ScratchTables(const ScratchTables&) = delete;
  ScratchTables& operator=(const ScratchTables&) = delete;

  // Calls the sink, until it returns false, for each row that only one of the two tables has. The
  // first column names the row for people; the rows are sorted by it. The second is 1 for a row of
  // the scratch table, else 0; then come the columns of the table. O(rows).
  void differences(std::string_view table, const std::function<bool(const Statement& row)>& sink);
  // Makes the file's tables equal to the scratch tables. Equal rows are not written; a row that
  // differs is updated in place. Precondition: in a write transaction.
  void write_differences();
  // Call it after success: the destructor cannot report a failure.
  void drop();

 private:
  Database& db_;
  std::span<const std::string_view> names_;  // empty once they are dropped
};

}  // namespace hebb::sql
