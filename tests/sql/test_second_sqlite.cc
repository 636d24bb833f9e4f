// Another copy of SQLite in the same process, and a log that is removed.
#include <atomic>
#include <filesystem>
#include <thread>

#include <catch2/catch.hpp>
#include <sqlite3.h>

#include "tests/sql/database_support.h"
#include "tests/support/folder.h"
#include "tests/support/second_sqlite.h"

using hebb::sql::Database;
using hebb::sql::Error;
using hebb::sql::Transaction;
using hebb::test::error_of;
using hebb::test::Folder;
using hebb::test::SecondSqlite;
using hebb::test::with_wal;
namespace fs = std::filesystem;

namespace {

constexpr const char* kTake = "BEGIN IMMEDIATE; ROLLBACK";  // the writer's lock, for a moment

struct Shared {
  Folder dir;
  std::string path = dir.file("a.db"), log = path + "-wal";
  SecondSqlite second = load();
  Database db = with_wal(path);

  Shared() { db.exec("CREATE TABLE t (k INTEGER)"); }
  SecondSqlite load() {
    SecondSqlite::copy_library(dir.file("second.so"));
    return SecondSqlite(dir.file("second.so"));
  }
  void commit() {
    Transaction transaction(db);
    db.exec("INSERT INTO t VALUES (1)");
    transaction.commit();
  }
  // What would be found if the process were killed now.
  std::int64_t kept() {
    fs::create_directory(dir.file("killed"));
    for (const char* suffix : {"", "-wal"}) {
      if (fs::exists(path + suffix)) fs::copy_file(path + suffix, dir.file("killed/a.db") + suffix);
    }
    std::int64_t rows = 0;
    {
      Database after = with_wal(dir.file("killed/a.db"));
      CHECK(after.scalar("SELECT count(*) FROM pragma_integrity_check") == 1);
      rows = after.scalar("SELECT count(*) FROM t");
    }
    fs::remove_all(dir.file("killed"));
    return rows;
  }
};

}  // namespace

TEST_CASE("a second copy of SQLite that reads and closes a database leaves its log alone") {
  if (!SecondSqlite::possible()) return;
  Shared s;
  s.commit();
  CHECK(s.second.open_read_close(s.path) == SQLITE_OK);
  CHECK(fs::exists(s.log));
  s.commit();
  CHECK(s.kept() == 2);
  SECTION("within a transaction") {
    Transaction transaction(s.db);
    s.db.exec("INSERT INTO t VALUES (1)");
    CHECK(s.second.open_read_close(s.path) == SQLITE_OK);
    s.db.exec("INSERT INTO t VALUES (1)");
    transaction.commit();
    CHECK(s.kept() == 4);
  }
  SECTION("while hebb reads") {
    Transaction reading(s.db, Transaction::Kind::deferred);
    CHECK(s.db.scalar("SELECT count(*) FROM t") == 2);
    CHECK(s.second.open_read_close(s.path) == SQLITE_OK);
    CHECK(s.db.scalar("SELECT count(*) FROM t") == 2);
  }
  SECTION("between commits") {
    s.commit();
    CHECK(s.second.open_read_close(s.path) == SQLITE_OK);
    s.commit();
    CHECK(s.kept() == 4);
  }
  SECTION("through a link") {
    fs::create_symlink(s.path, s.dir.file("link.db"));
    Database linked = with_wal(s.dir.file("link.db"));
    linked.exec("INSERT INTO t VALUES (1)");
    CHECK(s.second.open_read_close(s.dir.file("link.db")) == SQLITE_OK);
    CHECK(s.kept() == 3);
  }
}

TEST_CASE("two copies of SQLite in one process see each other's locks") {
  if (!SecondSqlite::possible()) return;
  Shared s;
  REQUIRE(s.second.open(s.path) == SQLITE_OK);
  {
    Transaction transaction(s.db);
    CHECK(s.second.exec(kTake) == SQLITE_BUSY);
    // Closing takes away none of hebb's locks.
    CHECK(s.second.close() == SQLITE_OK);
    REQUIRE(s.second.open(s.path) == SQLITE_OK);
    CHECK(s.second.exec(kTake) == SQLITE_BUSY);
    CHECK(s.second.exec("PRAGMA journal_mode=DELETE") == SQLITE_BUSY);
    s.db.exec("INSERT INTO t VALUES (1)");
    transaction.commit();
  }
  CHECK(s.second.exec("BEGIN IMMEDIATE; INSERT INTO t VALUES (2)") == SQLITE_OK);
  s.db.set_busy_timeout(0);
  CHECK(error_of([&] { s.commit(); }).busy());
  CHECK(s.second.exec("COMMIT") == SQLITE_OK);
  s.commit();
  CHECK(s.second.close() == SQLITE_OK);
  CHECK(s.kept() == 3);
}

TEST_CASE("a second copy of SQLite opens and closes a database all the time: no commit is lost") {
  if (!SecondSqlite::possible()) return;
  Shared s;
  constexpr int kCommits = 300;
  std::atomic<int> rounds = 0;
  std::atomic<bool> over = false;
  std::thread other([&] {
    while (!over) {
      s.second.open_read_close(s.path);
      ++rounds;
    }
  });
  for (int i = 0; i < kCommits || rounds < 50; ++i) {
    s.commit();
    CHECK(s.db.scalar("SELECT count(*) FROM t") == i + 1);
  }
  over = true;
  other.join();
  CHECK(s.kept() == s.db.scalar("SELECT count(*) FROM t"));
}

TEST_CASE("the last connection to close removes the log, as ever") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  {
    Database first = with_wal(path);
    first.exec("CREATE TABLE t (k INTEGER)");
    {
      Database second = with_wal(path);
      second.exec("INSERT INTO t VALUES (1)");
    }
    CHECK(fs::exists(path + "-wal"));
    CHECK(first.scalar("SELECT count(*) FROM t") == 1);
  }
  CHECK_FALSE(fs::exists(path + "-wal"));
  CHECK_FALSE(fs::exists(path + "-shm"));
  Database again = with_wal(path);
  CHECK(again.scalar("SELECT count(*) FROM t") == 1);
}

TEST_CASE("a log that was removed or replaced is an error, and what was committed before stays") {
  const Folder dir;
  const std::string path = dir.file("a.db"), log = path + "-wal";
  std::optional<Database> db(with_wal(path));
  db->exec("CREATE TABLE t (k INTEGER)");
  const auto commit = [&] {
    Transaction transaction(*db);
    db->exec("INSERT INTO t VALUES (1)");
    transaction.commit();
  };
  commit();
  SECTION("removed between transactions") {
    fs::remove(log);
    const Error error = error_of(commit);
    CHECK(error.gone());
    CHECK(std::string(error.what()).find(log + " was removed or replaced") != std::string::npos);
    CHECK(error_of(commit).gone());
  }
  SECTION("removed within a transaction") {
    {
      Transaction transaction(*db);
      db->exec("INSERT INTO t VALUES (2)");
      fs::remove(log);
      CHECK(error_of([&] { transaction.commit(); }).gone());
    }
    CHECK(error_of(commit).gone());
  }
  SECTION("never there when first looked at") {
    db.emplace(path, Database::Mode::read_write);
    db->use_wal();
    fs::remove(log);
    CHECK(error_of(commit).gone());
  }
  // Another program goes on, with a log of its own.
  db.reset();
  Database after = with_wal(path);
  CHECK(after.scalar("SELECT count(*) FROM t WHERE k = 1") == 1);
}

TEST_CASE("another's log is not removed by who lost the own one") {
  const Folder dir;
  const std::string path = dir.file("a.db"), log = path + "-wal";
  {
    Database db = with_wal(path);
    db.exec("CREATE TABLE t (k INTEGER)");
    const auto commit = [&] {
      Transaction transaction(db);
      db.exec("INSERT INTO t VALUES (1)");
      transaction.commit();
    };
    commit();
    fs::rename(log, log + "-old");
    fs::copy_file(log + "-old", log);
    CHECK(error_of(commit).gone());
  }
  CHECK(fs::exists(log));
}
