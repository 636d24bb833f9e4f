// Tables of the schema once more, as temporary ones of the same names. As long as they live,
// statements that name these tables mean them, since SQLite looks there first: what writes the
// tables writes the scratch ones. Then SQL says what differs from the tables of the file (EXCEPT),
// and writes only that.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "sql/database.h"

namespace hebb::sql {

class ScratchTables {
 public:
  // Empty ones. names: of the schema; one that others reference before them. Works within any
  // transaction and on a database that is read-only.
  ScratchTables(Database& db, std::span<const std::string_view> names);
  // Where they cannot be dropped, they would go on hiding those of the file: every statement of the
  // connection fails from then on, but for those that end a transaction.
  ~ScratchTables();
  ScratchTables(const ScratchTables&) = delete;
  ScratchTables& operator=(const ScratchTables&) = delete;

  // Calls the sink for each row that only one of the two tables has, until it returns false, sorted
  // by the first column, in which people read what row it is. The second is 1 for a row of the
  // scratch table, else 0; then come the columns of the table. O(rows).
  void differences(std::string_view table, const std::function<bool(const Statement& row)>& sink);
  // Makes the tables of the file what the scratch tables are. Rows that are the same stay as they
  // are; a row that differs keeps its place. Precondition: in a write transaction.
  void write_differences();
  // Call it at the end of what works, so that a failure is not lost in the destructor.
  void drop();

 private:
  Database& db_;
  std::span<const std::string_view> names_;  // none, once they are dropped
};

}  // namespace hebb::sql
