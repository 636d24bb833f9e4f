// Damages an index and leaves its table as it is.
#pragma once

#include <string>

#include <sqlite3.h>

#include "sql/database.h"

namespace hebb::test {

// Runs a statement on the rows of an index as if it were a table `imposter` with the columns c0,
// c1 … Returns how many rows were changed.
inline std::int64_t change_index(const std::string& path, const std::string& index,
                                 const std::string& statement) {
  sql::Database db(path, sql::Database::Mode::read_write);
  const auto root = static_cast<int>(
      db.scalar("SELECT rootpage FROM sqlite_schema WHERE name = '" + index + "'"));
  const auto columns = db.scalar("SELECT count(*) FROM pragma_index_xinfo('" + index + "')");
  std::string names = "c0";
  for (std::int64_t i = 1; i < columns; ++i) names += ", c" + std::to_string(i);
  sqlite3_test_control(SQLITE_TESTCTRL_IMPOSTER, db.handle(), "main", 1, root);
  db.exec("CREATE TABLE imposter (" + names + ", PRIMARY KEY (" + names + ")) WITHOUT ROWID");
  sqlite3_test_control(SQLITE_TESTCTRL_IMPOSTER, db.handle(), "main", 0, 0);
  db.exec(statement);
  return db.changes();
}

}  // namespace hebb::test
