#include <optional>
#include <string>

#include <catch2/catch.hpp>

#include "tests/sql/database_support.h"
#include "tests/support/folder.h"

using namespace hebb::sql;
using hebb::test::Folder;

namespace {

std::int64_t rows_of_t(Database& db) { return db.scalar("SELECT count(*) FROM t"); }

struct TwoConnections {
  Folder dir;
  Database db{dir.file("a.db"), Database::Mode::read_write_create, 0};
  std::optional<Database> other;

  TwoConnections() {
    db.use_wal();
    db.exec("CREATE TABLE t (x INTEGER) STRICT");
    other.emplace(dir.file("a.db"), Database::Mode::read_write, 0);
  }
  void insert() {
    Transaction one(db);
    db.exec("INSERT INTO t VALUES (1)");
    one.commit();
  }
};

}  // namespace

TEST_CASE(
    "transactions within one are parts of it: others see all of it at once, and none before") {
  TwoConnections two;
  {
    Transaction whole(two.db);
    two.insert();
    two.insert();
    CHECK(rows_of_t(two.db) == 2);
    CHECK(rows_of_t(*two.other) == 0);
    whole.commit();
  }
  CHECK(rows_of_t(*two.other) == 2);
  two.insert();  // it is over
  CHECK(rows_of_t(*two.other) == 3);
}

TEST_CASE("of the parts of a transaction each can be rolled back by itself") {
  TwoConnections two;
  Transaction whole(two.db);
  two.insert();
  {
    const Transaction given_up(two.db);
    two.db.exec("INSERT INTO t VALUES (2)");
    CHECK(rows_of_t(two.db) == 2);
  }
  two.insert();
  whole.commit();
  CHECK(rows_of_t(*two.other) == 2);
  CHECK(two.other->scalar("SELECT max(x) FROM t") == 1);
}

TEST_CASE(
    "a transaction that is not committed takes its parts with it, and others can write then") {
  TwoConnections two;
  {
    const Transaction whole(two.db);
    two.insert();
    CHECK_THROWS_AS(Transaction(*two.other), Error);  // it keeps others from writing
  }
  CHECK(rows_of_t(two.db) == 0);
  const Transaction writes(*two.other);
}

TEST_CASE("parts of a transaction may be readers, which see what was written before them") {
  TwoConnections two;
  Transaction whole(two.db);
  two.insert();
  {
    const Transaction reads(two.db, Transaction::Kind::deferred);
    CHECK(rows_of_t(two.db) == 1);
  }
  CHECK(rows_of_t(two.db) == 1);
  whole.commit();
}

TEST_CASE("a part has parts of its own") {
  TwoConnections two;
  Transaction whole(two.db);
  {
    Transaction part(two.db);
    CHECK(part.is_part());
    two.insert();
    {
      const Transaction given_up(two.db);
      two.insert();
    }
    part.commit();
  }
  {
    const Transaction given_up(two.db);
    two.insert();  // committed, as a part of what is not
  }
  whole.commit();
  CHECK(rows_of_t(*two.other) == 1);
}

TEST_CASE("where one part lost the whole, the next ones and the whole are refused") {
  TwoConnections two;
  Transaction whole(two.db);
  two.insert();
  two.db.exec("ROLLBACK");  // as SQLite does of itself on a full disk
  CHECK_THROWS_AS(two.insert(), Error);
  CHECK_THROWS_AS(whole.commit(), Error);
  CHECK(rows_of_t(two.db) == 0);
}
