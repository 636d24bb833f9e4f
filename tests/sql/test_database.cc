// Connection, statements, transactions and backup, on real files.
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <sqlite3.h>

#include "sql/database.h"
#include "tests/sql/database_support.h"
#include "tests/support/folder.h"

using hebb::sql::Database;
using hebb::sql::Error;
using hebb::sql::Reset;
using hebb::sql::Statement;
using hebb::sql::Transaction;
using hebb::test::error_of;
using hebb::test::Folder;
using hebb::test::with_wal;
using Mode = Database::Mode;

namespace {

struct Finalize {
  void operator()(sqlite3_stmt* stmt) const { sqlite3_finalize(stmt); }
};
using Handle = std::unique_ptr<sqlite3_stmt, Finalize>;

Handle prepared(Database& db, const std::string& sql) {
  sqlite3_stmt* stmt = nullptr;
  REQUIRE(sqlite3_prepare_v2(db.handle(), sql.c_str(), -1, &stmt, nullptr) == SQLITE_OK);
  return Handle(stmt);
}

bool says(const Error& error, const std::string& part) {
  return std::string(error.what()).find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a connection checks references and keeps a write-ahead log") {
  const Folder dir;
  Database db = with_wal(dir.file("a.db"));
  const Handle mode = prepared(db, "PRAGMA journal_mode");
  Statement statement(mode.get(), "journal mode");
  REQUIRE(statement.step());
  CHECK(statement.text(0) == "wal");
  CHECK(db.scalar("PRAGMA foreign_keys") == 1);
  CHECK(db.scalar("PRAGMA temp_store") == 2);
  CHECK(db.scalar("PRAGMA busy_timeout") == 5000);
  CHECK(db.path() == dir.file("a.db"));
}

TEST_CASE("every kind of value comes back as it was bound, to the bit") {
  Database db(":memory:", Mode::read_write_create);
  db.exec("CREATE TABLE t (i INTEGER, r REAL, s TEXT, b BLOB) STRICT");
  const Handle in = prepared(db, "INSERT INTO t VALUES (?1, ?2, ?3, ?4)");
  const Handle out = prepared(db, "SELECT i, r, s, b FROM t ORDER BY rowid DESC LIMIT 1");
  Statement insert(in.get(), "insert");
  Statement select(out.get(), "select");

  std::vector<std::byte> bytes;
  for (int i = 0; i < 256; ++i) bytes.push_back(static_cast<std::byte>(i));
  const std::vector<double> reals{0.1 + 0.2,
                                  1.0,
                                  -1.0 / 3.0,
                                  5e-324,
                                  std::numeric_limits<double>::max(),
                                  std::numeric_limits<double>::min(),
                                  std::nextafter(1.0, 2.0),
                                  9007199254740993.0,
                                  std::numeric_limits<double>::infinity()};
  const std::vector<std::int64_t> integers{0, -1, std::numeric_limits<std::int64_t>::min(),
                                           std::numeric_limits<std::int64_t>::max()};
  const std::string text("quote ' zero \0 \xc3\xa9", 18);
  for (std::size_t i = 0; i < reals.size(); ++i) {
    const std::int64_t integer = integers[i % integers.size()];
    insert.bind(1, integer).bind(2, reals[i]).bind(3, std::string_view(text)).bind(4, bytes).run();
    const Reset reset(select);
    REQUIRE(select.step());
    CHECK(select.integer(0) == integer);
    CHECK(std::bit_cast<std::uint64_t>(select.real(1)) == std::bit_cast<std::uint64_t>(reals[i]));
    CHECK(select.text(2) == text);
    const auto blob = select.blob(3);
    CHECK(std::vector<std::byte>(blob.begin(), blob.end()) == bytes);
  }
  CHECK(select.columns() == 4);
  CHECK(select.column_name(1) == "r");
}

TEST_CASE("null is not empty, and empty is not null") {
  Database db(":memory:", Mode::read_write_create);
  const Handle handle = prepared(db, "SELECT ?1, ?2, ?3, ?4, ?5");
  Statement statement(handle.get(), "nulls");
  statement.bind_null(1).bind(2, std::string_view{}).bind(3, std::span<const std::byte>{});
  statement.bind(4, std::optional<double>{}).bind(5, std::optional<std::int64_t>{7});
  REQUIRE(statement.step());
  CHECK(statement.is_null(0));
  CHECK_FALSE(statement.is_null(1));
  CHECK(statement.text(1).empty());
  CHECK_FALSE(statement.is_null(2));
  CHECK(statement.blob(2).empty());
  CHECK(statement.is_null(3));
  CHECK(statement.integer(4) == 7);
  CHECK_FALSE(statement.step());
}

TEST_CASE("a bind after a step starts afresh") {
  Database db(":memory:", Mode::read_write_create);
  const Handle handle = prepared(db, "SELECT ?1, ?2");
  Statement statement(handle.get(), "pair");
  statement.bind(1, 1).bind(2, "two");
  REQUIRE(statement.step());
  statement.bind(1, 3);  // while a row stands
  REQUIRE(statement.step());
  CHECK(statement.integer(0) == 3);
  CHECK(statement.is_null(1));
}

TEST_CASE("a parameter that does not exist is an error that names the statement") {
  Database db(":memory:", Mode::read_write_create);
  const Handle handle = prepared(db, "SELECT ?1");
  Statement statement(handle.get(), "the_query");
  const Error error = error_of([&] { statement.bind(2, 1); });
  CHECK(says(error, "bind parameter 2 of the_query"));
  CHECK(says(error, ":memory:"));
}

TEST_CASE("a violated constraint is told apart") {
  Database db(":memory:", Mode::read_write_create);
  db.exec("CREATE TABLE t (k TEXT PRIMARY KEY, n INTEGER) STRICT");
  const Handle handle = prepared(db, "INSERT INTO t VALUES (?1, 1)");
  Statement insert(handle.get(), "insert_t");
  insert.bind(1, "a").run();
  CHECK(db.changes() == 1);
  CHECK(sqlite3_last_insert_rowid(db.handle()) == 1);
  const Error error = error_of([&] { insert.bind(1, "a").run(); });
  CHECK(error.constraint());
  CHECK(error.code() == SQLITE_CONSTRAINT_PRIMARYKEY);
  CHECK_FALSE(error.busy());
  CHECK_FALSE(error.corrupt());
  CHECK(says(error, "run insert_t"));
  insert.bind(1, "b").run();  // the statement is usable again
  CHECK(db.scalar("SELECT count(*) FROM t") == 2);
}

TEST_CASE("scalar of no row is zero, and of a wrong text an error with the text") {
  Database db(":memory:", Mode::read_write_create);
  db.exec("CREATE TABLE t (k INTEGER); CREATE TABLE u (k INTEGER);");
  CHECK(db.scalar("SELECT k FROM t") == 0);
  CHECK(says(error_of([&] { db.scalar("SELECT nothing"); }), "SELECT nothing"));
  CHECK(says(error_of([&] { db.exec("CREATE"); }), "CREATE"));
}

TEST_CASE("a transaction that is not committed never was") {
  const Folder dir;
  Database db(dir.file("a.db"), Mode::read_write_create);
  db.exec("CREATE TABLE t (k INTEGER)");
  {
    const Transaction transaction(db);
    db.exec("INSERT INTO t VALUES (1)");
  }
  CHECK(db.scalar("SELECT count(*) FROM t") == 0);
  {
    Transaction transaction(db, Transaction::Kind::deferred);
    db.exec("INSERT INTO t VALUES (1)");
    transaction.commit();
  }
  CHECK(db.scalar("SELECT count(*) FROM t") == 1);
  CHECK_THROWS_AS(([&] {
                    const Transaction transaction(db);
                    db.exec("INSERT INTO t VALUES (2)");
                    throw std::runtime_error("the caller gives up");
                  }()),
                  std::runtime_error);
  CHECK(db.scalar("SELECT count(*) FROM t") == 1);
}

TEST_CASE("the second writer is told that the database is busy; a reader is not disturbed") {
  const Folder dir;
  Database first = with_wal(dir.file("a.db"), 0);
  Database second(dir.file("a.db"), Mode::read_write, 0);
  first.exec("CREATE TABLE t (k INTEGER)");
  Transaction writing(first);
  first.exec("INSERT INTO t VALUES (1)");
  const Error error = error_of([&] { const Transaction other(second); });
  CHECK(error.busy());
  CHECK_FALSE(error.corrupt());
  CHECK(says(error, "try again"));
  CHECK(says(error, dir.file("a.db")));
  CHECK(second.scalar("SELECT count(*) FROM t") == 0);
  writing.commit();
  CHECK(second.scalar("SELECT count(*) FROM t") == 1);
  const Transaction now_free(second);
}

TEST_CASE("a file that is no database is refused when it is opened") {
  const Folder dir;
  std::ofstream(dir.file("a.db")) << std::string(4096, 'x');
  const Error error = error_of([&] { Database db(dir.file("a.db"), Mode::read_write); });
  CHECK(error.corrupt());
  CHECK(error.code() == SQLITE_NOTADB);
  CHECK(says(error, "not a database"));
}

TEST_CASE("a damaged page is found, not believed") {
  const Folder dir;
  {
    Database db(dir.file("a.db"), Mode::read_write_create);
    db.exec("CREATE TABLE t (k INTEGER PRIMARY KEY, s TEXT)");
    db.exec(
        "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 500) "
        "INSERT INTO t SELECT i, hex(randomblob(50)) FROM n");
  }
  {
    std::fstream file(dir.file("a.db"), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(4096);  // the second page: the table's root
    file << std::string(4096, '\xff');
  }
  Database db(dir.file("a.db"), Mode::read_write);
  const Error error = error_of([&] { db.scalar("SELECT count(s) FROM t"); });
  CHECK(error.corrupt());
  CHECK(says(error, "damaged"));
}

TEST_CASE("a missing file is created only on request, a missing directory never") {
  const Folder dir;
  const Error missing = error_of([&] { Database db(dir.file("none.db"), Mode::read_write); });
  CHECK((missing.code() & 0xff) == SQLITE_CANTOPEN);
  CHECK(says(missing, dir.file("none.db")));
  CHECK_FALSE(std::filesystem::exists(dir.file("none.db")));
  CHECK_THROWS_AS(Database(dir.file("none.db"), Mode::read_only), Error);
  CHECK_THROWS_AS(Database(dir.file("no/such/dir.db"), Mode::read_write_create), Error);
}

TEST_CASE("a connection for reading cannot write") {
  const Folder dir;
  Database(dir.file("a.db"), Mode::read_write_create).exec("CREATE TABLE t (k INTEGER)");
  Database db(dir.file("a.db"), Mode::read_only);
  CHECK(db.scalar("SELECT count(*) FROM t") == 0);
  const Error error = error_of([&] { db.exec("INSERT INTO t VALUES (1)"); });
  CHECK((error.code() & 0xff) == SQLITE_READONLY);
  CHECK(says(error, "cannot be written"));
}

TEST_CASE("a full disk is called so, and the transaction can be given up") {
  const Folder dir;
  Database db(dir.file("a.db"), Mode::read_write_create);
  db.exec("CREATE TABLE t (b BLOB)");
  db.exec("PRAGMA max_page_count=4");
  {
    const Transaction transaction(db);
    const Error error = error_of([&] { db.exec("INSERT INTO t VALUES (zeroblob(100000))"); });
    CHECK((error.code() & 0xff) == SQLITE_FULL);
    CHECK(says(error, "full"));
  }
  CHECK(db.scalar("SELECT count(*) FROM t") == 0);
}

TEST_CASE("a moved connection goes on working") {
  Database db(":memory:", Mode::read_write_create);
  db.exec("CREATE TABLE t (k INTEGER)");
  Database other(std::move(db));
  CHECK(other.scalar("SELECT count(*) FROM t") == 0);
}

TEST_CASE("a commit to a file that was deleted or replaced meanwhile is an error") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  Database db = with_wal(path);
  db.exec("CREATE TABLE t (k INTEGER)");
  const auto commit = [&] {
    Transaction transaction(db);
    db.exec("INSERT INTO t VALUES (1)");
    transaction.commit();
  };
  commit();
  SECTION("deleted") { std::filesystem::remove(path); }
  SECTION("replaced") {
    db.backup_to(dir.file("b.db"));
    std::filesystem::rename(dir.file("b.db"), path);
  }
  SECTION("moved away") { std::filesystem::rename(path, dir.file("c.db")); }
  const Error error = error_of(commit);
  CHECK(error.gone());
  CHECK(says(error, path));
}
