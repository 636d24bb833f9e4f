// The schema and the migrations to it.
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sql/database.h"
#include "tests/support/folder.h"

using hebb::sql::Database;
using hebb::sql::Error;
using hebb::sql::migrate;
using hebb::sql::Migration;
using hebb::sql::NewerSchema;
using hebb::sql::NotOurs;
using hebb::test::Folder;
using hebb::test::read_text;
using hebb::test::read_text_if_there;
using Mode = Database::Mode;

namespace {

constexpr std::string_view kOldSchema = "CREATE TABLE t (k INTEGER PRIMARY KEY);";
constexpr std::string_view kSchema = "CREATE TABLE t (k INTEGER PRIMARY KEY, a TEXT, b TEXT);";
const std::vector<Migration> kSteps{
    {2, "add_a", "ALTER TABLE t ADD COLUMN a TEXT; UPDATE t SET a = 'from 2';"},
    {3, "add_b", "ALTER TABLE t ADD COLUMN b TEXT; UPDATE t SET b = 'from 3';"}};

std::int64_t version(Database& db) { return db.scalar("PRAGMA user_version"); }

}  // namespace

TEST_CASE("an empty database gets the schema and its version, and again changes nothing") {
  const Folder dir;
  Database db(dir.file("a.db"), Mode::read_write_create);
  migrate(db);
  CHECK(version(db) == hebb::sql::schema_version());
  CHECK(hebb::sql::schema_version() >= 1);
  CHECK(db.scalar("SELECT count(*) FROM sqlite_schema WHERE name = 'event'") == 1);
  const auto tables = db.scalar("SELECT count(*) FROM sqlite_schema");
  migrate(db);
  CHECK(db.scalar("SELECT count(*) FROM sqlite_schema") == tables);
  CHECK(db.scalar("PRAGMA foreign_keys") == 1);
}

TEST_CASE("an older database goes through every step, a new one straight to the end") {
  Database old(":memory:", Mode::read_write_create);
  migrate(old, kOldSchema, {});
  CHECK(version(old) == 1);
  old.exec("INSERT INTO t VALUES (7)");
  migrate(old, kSchema, kSteps);
  CHECK(version(old) == 3);
  CHECK(old.scalar("SELECT count(*) FROM t WHERE k = 7 AND a = 'from 2' AND b = 'from 3'") == 1);

  Database fresh(":memory:", Mode::read_write_create);
  migrate(fresh, kSchema, kSteps);
  CHECK(version(fresh) == 3);
  CHECK(fresh.scalar("SELECT count(*) FROM pragma_table_info('t')") == 3);
}

TEST_CASE("a step that fails leaves the database at the step before it") {
  Database db(":memory:", Mode::read_write_create);
  migrate(db, kOldSchema, {});
  auto steps = kSteps;
  steps[1].sql = "ALTER TABLE t ADD COLUMN b TEXT; UPDATE nothing SET b = 1;";
  CHECK_THROWS_AS(migrate(db, kSchema, steps), Error);
  CHECK(version(db) == 2);
  CHECK(db.scalar("SELECT count(*) FROM pragma_table_info('t')") == 2);
  CHECK(db.scalar("PRAGMA foreign_keys") == 1);
  migrate(db, kSchema, kSteps);  // the repaired program goes on from there
  CHECK(version(db) == 3);
}

TEST_CASE("a step may not leave rows that point nowhere") {
  Database db(":memory:", Mode::read_write_create);
  migrate(db, "CREATE TABLE t (k INTEGER PRIMARY KEY); CREATE TABLE u (t REFERENCES t (k));", {});
  db.exec("INSERT INTO t VALUES (1); INSERT INTO u VALUES (1)");
  const std::vector<Migration> steps{{2, "lose_t", "DELETE FROM t"}};
  CHECK_THROWS_AS(migrate(db, "", steps), Error);
  CHECK(db.scalar("SELECT count(*) FROM t") == 1);
}

TEST_CASE("a newer database is refused and not touched") {
  const Folder dir;
  Database db(dir.file("a.db"), Mode::read_write_create);
  db.exec(
      "CREATE TABLE of_the_future (k INTEGER); PRAGMA user_version=999;"
      "PRAGMA application_id=0x68656262");
  try {
    migrate(db);
    FAIL("a newer schema was accepted");
  } catch (const NewerSchema& error) {
    const std::string what = error.what();
    CHECK(what.find("999") != std::string::npos);
    CHECK(what.find(dir.file("a.db")) != std::string::npos);
    CHECK(what.find("newer program") != std::string::npos);
  }
  CHECK(version(db) == 999);
  CHECK(db.scalar("SELECT count(*) FROM sqlite_schema") == 1);
}

TEST_CASE("an older database that may only be read is not migrated") {
  const Folder dir;
  {
    Database db(dir.file("a.db"), Mode::read_write_create);
    migrate(db, kOldSchema, {});
  }
  Database db(dir.file("a.db"), Mode::read_only);
  CHECK_THROWS_AS(migrate(db, kSchema, kSteps), Error);
  CHECK(version(db) == 1);
}

TEST_CASE("many that create the database at once all succeed") {
  const Folder dir;
  std::vector<std::string> failures(8);
  {
    std::vector<std::jthread> threads;
    for (std::string& failure : failures) {
      threads.emplace_back([&failure, path = dir.file("a.db")] {
        try {
          Database db(path, Mode::read_write_create, 60000);
          migrate(db);
        } catch (const std::exception& error) {
          failure = error.what();
        }
      });
    }
  }
  for (const std::string& failure : failures) CHECK(failure == "");
  Database db(dir.file("a.db"), Mode::read_only);
  CHECK(version(db) == hebb::sql::schema_version());
}

namespace {

// Closed or, as by a program that was killed, not.
void make_theirs(const std::string& path, const std::string& sql, bool killed) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    sqlite3* raw = nullptr;
    const bool made = sqlite3_open(path.c_str(), &raw) == SQLITE_OK &&
                      sqlite3_exec(raw, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK;
    if (!killed) sqlite3_close(raw);
    ::_exit(made ? 0 : 1);
  }
  int status = 0;
  REQUIRE(::waitpid(pid, &status, 0) == pid);
  REQUIRE(status == 0);
}

// Our tables as a program without our tokenizer can make them.
std::string our_schema() {
  std::string sql(hebb::sql::schema_sql());
  const std::string_view ours = "tokenize = 'hebb_words'";
  return sql.replace(sql.find(ours), ours.size(), "tokenize = 'unicode61'");
}

}  // namespace

TEST_CASE("another program's database is refused, and not a byte of it is changed") {
  const std::string event = "CREATE TABLE event (id INTEGER PRIMARY KEY, name TEXT);";
  const std::string sql = GENERATE_COPY(
      as<std::string>(), "CREATE TABLE theirs (k INTEGER)", event, event + "PRAGMA user_version=3",
      event + "PRAGMA user_version=7", "PRAGMA user_version=4711", "PRAGMA application_id=4711",
      our_schema() + "PRAGMA user_version=1; PRAGMA application_id=4711",
      "PRAGMA journal_mode=WAL;" + event);
  const bool killed = GENERATE(false, true);
  CAPTURE(sql, killed);
  const Folder dir;
  const std::string path = dir.file("a.db");
  make_theirs(path, sql, killed);
  const std::string before = read_text(path), log = read_text_if_there(path + "-wal");
  {
    Database db(path, Mode::read_write_create);
    CHECK_THROWS_AS(migrate(db), NotOurs);
  }
  CHECK(read_text(path) == before);
  CHECK(read_text_if_there(path + "-wal") == log);
}

TEST_CASE("a database of hebb 0.1 is known by its tables, and marked when it is brought forward") {
  const Folder dir;
  std::string schema = read_text(HEBB_SOURCE_DIR "/tests/capture/data/schema_1.sql");
  make_theirs(dir.file("a.db"), schema + "PRAGMA user_version=1", false);
  Database db(dir.file("a.db"), Mode::read_write);
  migrate(db);
  CHECK(version(db) == hebb::sql::schema_version());
  CHECK(db.scalar("PRAGMA application_id") == hebb::sql::kApplicationId);

  // Nearly one of 0.1 is another program's.
  schema.replace(schema.find("gained"), 6, "earned");
  make_theirs(dir.file("b.db"), schema + "PRAGMA user_version=1", false);
  Database other(dir.file("b.db"), Mode::read_write);
  CHECK_THROWS_AS(migrate(other), NotOurs);
}

TEST_CASE("a path that is not a regular file is refused") {
  const Folder dir;
  REQUIRE(::mkfifo(dir.file("pipe").c_str(), 0600) == 0);
  for (const std::string& path : {dir.file("pipe"), dir.file("."), std::string("/dev/null")}) {
    for (const Mode mode : {Mode::read_write_create, Mode::read_write, Mode::read_only}) {
      CAPTURE(path);
      CHECK_THROWS_AS(Database(path, mode), NotOurs);
    }
  }
}
