// Indexes that do not have the rows of their tables, as the check of a database finds them.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "sql/index_check.h"
#include "tests/sql/index_support.h"
#include "tests/sql/temp_dir.h"

namespace hebb::test {
namespace {

using sql::Database;
using Names = std::vector<std::string_view>;

void make_rows(Database& db) {
  sql::migrate(db);
  db.exec(
      "INSERT INTO node (id) VALUES ('a'), ('b'), ('c');"
      "INSERT INTO edge_type VALUES (1, 'T', 1, 0, 0, 1, 1, NULL, 0, 0, 0);"
      "INSERT INTO edge (source, target, type, weight, touched_at)"
      " VALUES (1, 2, 1, 1, 0), (1, 3, 1, 1, 0), (2, 1, 1, 1, 0);"
      "INSERT INTO event (position, at, kind, subject, key, payload)"
      " VALUES (1, 5, 'node', 'b', 'k3', '{}'), (2, 5, 'node', 'a', 'k1', '{}'),"
      " (3, 4, 'pivot', 'a', 'k2', '{}'), (4, 6, 'gc', 'ledger', 'k4', '{}');");
}

TEST_CASE("an index that does not fit its table is found, and no other") {
  const TempDir dir;
  const std::string path = dir.file("a.db");
  {
    Database db(path, Database::Mode::read_write_create);
    make_rows(db);
    CHECK(sql::faulty_indexes(db) == Names{});
  }
  struct Case {
    std::string index;
    int columns;
  };
  const auto c = GENERATE(Case{"sqlite_autoindex_event_1", 2}, Case{"event_subject", 3},
                          Case{"event_wide", 4}, Case{"edge_target", 3});
  const std::string first = " WHERE c0 = (SELECT min(c0) FROM imposter)";
  const std::string row = c.columns == 2   ? "'z', 9"
                          : c.columns == 3 ? "9, 9, 9"
                                           : "'gc', 9, 'z', 9";
  const std::string statement =
      GENERATE_COPY("DELETE FROM imposter" + first, "UPDATE imposter SET c1 = c1 + 7" + first,
                    "INSERT INTO imposter VALUES (" + row + ")");
  CAPTURE(c.index, statement);
  REQUIRE(change_index(path, c.index, statement) > 0);
  Database db(path, Database::Mode::read_write);
  CHECK(sql::faulty_indexes(db) == Names{c.index});
  CHECK(db.scalar("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'") == 0);
}

}  // namespace
}  // namespace hebb::test
