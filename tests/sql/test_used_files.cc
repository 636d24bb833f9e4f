// A database under two names, and files beside it that are removed, replaced or cut while it is in
// use: refused before anything is written.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/sql/database_support.h"
#include "tests/support/folder.h"
#include "tests/support/second_sqlite.h"

using hebb::sql::Database;
using hebb::sql::Error;
using hebb::sql::NotOurs;
using hebb::sql::Transaction;
using hebb::test::error_of;
using hebb::test::Folder;
using hebb::test::read_text;
using hebb::test::read_text_if_there;
using hebb::test::SecondSqlite;
using hebb::test::with_wal;
using Mode = Database::Mode;
namespace fs = std::filesystem;

namespace {

void insert(Database& db) {
  Transaction transaction(db);
  db.exec("INSERT INTO t VALUES (1)");
  transaction.commit();
}

std::int64_t rows_of(const std::string& path) {
  Database db = with_wal(path);
  return db.scalar("SELECT count(*) FROM t");
}

void make(const std::string& path) {
  Database db = with_wal(path);
  db.exec("CREATE TABLE t (k INTEGER)");
}

// Another process that has the database open, with a row that it committed, until it is killed.
class OtherProcess {
 public:
  explicit OtherProcess(const std::string& path) {
    int opened[2]{};
    REQUIRE(::pipe2(opened, O_CLOEXEC) == 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      try {
        Database db(path, Mode::read_write);
        db.use_wal();
        insert(db);
        const char done = 1;
        if (::write(opened[1], &done, 1) == 1) ::pause();
      } catch (...) {
      }
      ::_exit(1);
    }
    ::close(opened[1]);
    char done = 0;
    const auto n = ::read(opened[0], &done, 1);
    ::close(opened[0]);
    REQUIRE(n == 1);
  }
  ~OtherProcess() { kill(); }
  OtherProcess(const OtherProcess&) = delete;
  OtherProcess& operator=(const OtherProcess&) = delete;

  void kill() {
    if (pid_ < 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_ = -1;
};

// The exit code of a process in which `file` is mounted at `at` by itself.
constexpr int kMayNotMount = 77, kRefused = 3, kOpened = 4;
int with_mount(const std::string& file, const std::string& at, const std::function<int()>& work) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    const bool apart = ::unshare(CLONE_NEWNS) == 0 || ::unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0;
    if (!apart || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        ::mount(file.c_str(), at.c_str(), nullptr, MS_BIND, nullptr) != 0)
      ::_exit(kMayNotMount);
    try {
      ::_exit(work());
    } catch (...) {
      ::_exit(1);
    }
  }
  int status = 0;
  REQUIRE(::waitpid(pid, &status, 0) == pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int open_refused(const std::string& path) {
  for (const Mode mode : {Mode::read_only, Mode::read_write, Mode::read_write_create}) {
    try {
      const Database db(path, mode);
      return kOpened;
    } catch (const NotOurs&) {
    }
  }
  return kRefused;
}

}  // namespace

TEST_CASE("a database with a second hard link is refused by both names, and nothing is made") {
  const Folder dir;
  const std::string path = dir.file("a.db"), link = dir.file("b.db");
  make(path);
  fs::create_hard_link(path, link);
  const std::string before = read_text(path);
  for (const auto& name : {path, link}) {
    for (const Mode mode : {Mode::read_only, Mode::read_write, Mode::read_write_create}) {
      const Error error = error_of([&] { const Database db(name, mode); });
      CHECK(error.cannot_open());
      CHECK(std::string(error.what()).find("hard link") != std::string::npos);
    }
    CHECK_FALSE(fs::exists(name + "-wal"));
    CHECK_FALSE(fs::exists(name + "-shm"));
  }
  CHECK(read_text(path) == before);
  fs::remove(link);
  CHECK(rows_of(path) == 0);
}

TEST_CASE("a hard link made while a database is in use stops reading and writing until it goes") {
  const Folder dir;
  const std::string path = dir.file("a.db"), link = dir.file("b.db");
  make(path);
  Database db = with_wal(path);
  insert(db);
  {
    Transaction transaction(db);
    db.exec("INSERT INTO t VALUES (2)");
    fs::create_hard_link(path, link);
    CHECK(error_of([&] { transaction.commit(); }).gone());
  }
  CHECK(error_of([&] { insert(db); }).gone());
  CHECK(error_of([&] { const Transaction reading(db, Transaction::Kind::deferred); }).gone());
  fs::remove(link);
  insert(db);
  CHECK(db.scalar("SELECT sum(k) FROM t") == 2);
}

TEST_CASE("a file that is mounted by itself is refused, also after its other user was killed") {
  const Folder dir;
  fs::create_directory(dir.file("elsewhere"));
  const std::string path = dir.file("a.db"), mounted = dir.file("elsewhere/a.db");
  make(path);
  { const std::ofstream here(mounted); }
  OtherProcess other(path);
  const auto refused = [&] {
    return with_mount(path, mounted, [&] { return open_refused(mounted); });
  };
  const int alive = refused();
  if (alive == kMayNotMount) {
    WARN("skipped: this process may not mount");
    return;
  }
  CHECK(alive == kRefused);
  CHECK(with_mount(dir.file("."), dir.file("elsewhere"), [&] {
          return Database(mounted, Mode::read_only).scalar("SELECT count(*) FROM t") == 1 ? 0 : 2;
        }) == 0);  // a folder may be mounted anywhere
  other.kill();
  CHECK(fs::exists(path + "-wal"));
  CHECK(refused() == kRefused);
  CHECK(with_mount(path, mounted, [&] {
          fs::create_symlink(mounted, dir.file("link.db"));
          return open_refused(dir.file("link.db"));
        }) == kRefused);
  CHECK_FALSE(fs::exists(mounted + "-wal"));
  CHECK(rows_of(path) == 1);
}

TEST_CASE("a symbolic link is no second name: the log beside the file is found") {
  const Folder dir;
  fs::create_directory(dir.file("links"));
  const std::string path = dir.file("a.db"), link = dir.file("links/b.db");
  make(path);
  fs::create_symlink("../a.db", link);
  const OtherProcess other(path);
  Database linked = with_wal(link);
  insert(linked);
  CHECK(linked.scalar("SELECT count(*) FROM t") == 2);
  CHECK_FALSE(fs::exists(link + "-wal"));
}

TEST_CASE("who opens a database finds out that another has it open with another log") {
  const Folder dir;
  const std::string path = dir.file("a.db"), link = dir.file("b.db");
  make(path);
  std::optional<OtherProcess> other;
  SECTION("by a hard link that is gone") {
    fs::rename(path, link);
    other.emplace(link);
    fs::rename(link, path);
  }
  SECTION("with a -shm that was removed") {
    other.emplace(path);
    fs::remove(path + "-shm");
  }
  SECTION("with a -shm that was replaced") {
    other.emplace(path);
    fs::rename(path + "-shm", dir.file("shm"));
    fs::copy_file(dir.file("shm"), path + "-shm");
  }
  SECTION("as another file, whose log and locks are here") {
    other.emplace(path);
    fs::rename(path, link);
    fs::copy_file(link, path);
  }
  const std::string before = read_text(path), log = read_text_if_there(path + "-wal");
  CHECK_THROWS_AS(Database(path, Mode::read_write), NotOurs);
  CHECK(read_text(path) == before);
  CHECK(read_text_if_there(path + "-wal") == log);
}

TEST_CASE("nothing is written once the file of the locks was removed, replaced, or is another's") {
  const Folder dir;
  const std::string path = dir.file("a.db"), shm = path + "-shm";
  make(path);
  {
    Database db = with_wal(path);
    insert(db);
    SECTION("removed between transactions") { fs::remove(shm); }
    SECTION("removed within one") {
      Transaction transaction(db);
      db.exec("INSERT INTO t VALUES (1)");
      fs::remove(shm);
      CHECK(error_of([&] { transaction.commit(); }).gone());
    }
    SECTION("replaced") {
      fs::rename(shm, dir.file("shm"));
      fs::copy_file(dir.file("shm"), shm);
    }
    const Error error = error_of([&] { insert(db); });
    CHECK(error.gone());
    CHECK(std::string(error.what()).find(shm) != std::string::npos);
    CHECK(error_of([&] { const Transaction reading(db, Transaction::Kind::deferred); }).gone());
    CHECK_THROWS_AS(Database(path, Mode::read_write), NotOurs);
  }
  CHECK(fs::exists(path + "-wal"));  // who lost the locks does not remove it
  CHECK(rows_of(path) == 1);
}

TEST_CASE("a program that comes by another name while a database is in use is found out") {
  if (!SecondSqlite::possible()) return;
  const Folder dir;
  const std::string path = dir.file("a.db"), link = dir.file("b.db");
  SecondSqlite::copy_library(dir.file("second.so"));
  SecondSqlite second(dir.file("second.so"));
  make(path);
  Database db = with_wal(path);
  insert(db);
  fs::create_hard_link(path, link);
  REQUIRE(second.open(link) == SQLITE_OK);
  REQUIRE(second.exec("SELECT count(*) FROM t") == SQLITE_OK);
  fs::remove(link);  // by now the number of links says nothing
  const std::string log = read_text_if_there(path + "-wal");
  CHECK(error_of([&] { insert(db); }).gone());
  CHECK(read_text_if_there(path + "-wal") == log);
  CHECK(second.close() == SQLITE_OK);
  CHECK(error_of([&] { insert(db); }).gone());  // it may have written
}

TEST_CASE("a log that was cut while it was in use is found out, one that SQLite emptied is not") {
  if (!SecondSqlite::possible()) return;
  const Folder dir;
  const std::string path = dir.file("a.db"), log = path + "-wal";
  SecondSqlite::copy_library(dir.file("second.so"));
  SecondSqlite second(dir.file("second.so"));
  make(path);
  Database db = with_wal(path);
  insert(db);
  REQUIRE(second.open(path) == SQLITE_OK);
  REQUIRE(second.exec("PRAGMA wal_checkpoint(TRUNCATE)") == SQLITE_OK);
  CHECK(fs::file_size(log) == 0);
  insert(db);
  CHECK(second.close() == SQLITE_OK);
  const auto size = fs::file_size(log);
  fs::resize_file(log, GENERATE(0, 1) == 0 ? 0 : size - 1);
  const Error error = error_of([&] { insert(db); });
  CHECK(error.gone());
  CHECK(std::string(error.what()).find(log + " was cut") != std::string::npos);
}

TEST_CASE("a log that belongs to somebody who may not write the database is not read") {
  if (::geteuid() != 0) SUCCEED("only root can give a file to another user");
  if (::geteuid() != 0) return;
  constexpr uid_t kOther = 65534;
  const Folder dir;
  const std::string path = dir.file("a.db"), copy = dir.file("copy.db");
  make(path);
  fs::copy_file(path, copy);
  OtherProcess(copy).kill();  // leaves a log with a row
  const std::string suffix = GENERATE("-wal", "-shm", "-journal");
  CAPTURE(suffix);
  const std::string file = path + suffix;
  const auto give = [&](const std::string& name) {
    REQUIRE(::lchown(name.c_str(), kOther, kOther) == 0);
  };
  const auto check_refused = [&] {
    const std::string before = read_text(path);
    for (const Mode mode : {Mode::read_only, Mode::read_write, Mode::read_write_create}) {
      const Error error = error_of([&] { const Database db(path, mode); });
      CHECK(error.cannot_open());
      CHECK(std::string(error.what()).find(file + " belongs to another user") != std::string::npos);
    }
    CHECK(read_text(path) == before);
    CHECK(fs::exists(fs::symlink_status(file)));
  };
  SECTION("a file") {
    fs::copy_file(suffix == "-journal" ? copy + "-wal" : copy + suffix, file);
    give(file);
    check_refused();
  }
  SECTION("a link") {
    fs::create_symlink(suffix == "-journal" ? copy + "-wal" : copy + suffix, file);
    give(file);
    check_refused();
  }
  SECTION("not if the database is theirs, or they may write it") {
    if (suffix == "-journal") return;
    for (const char* beside : {"-wal", "-shm"}) {
      fs::copy_file(copy + beside, path + beside);
      give(path + beside);
    }
    SECTION("its owner's") { give(path); }
    SECTION("its group's") {
      REQUIRE(::chown(path.c_str(), 0, kOther) == 0);
      fs::permissions(path, fs::perms::group_write, fs::perm_options::add);
    }
    SECTION("anybody's") { fs::permissions(path, fs::perms::others_write, fs::perm_options::add); }
    CHECK(rows_of(path) == 1);
    return;
  }
  fs::remove(file);
  CHECK(rows_of(path) == 0);
}

TEST_CASE("after a long reader the log is short again") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  make(path);
  Database db = with_wal(path), reader = with_wal(path);
  const auto fill = [&] {
    Transaction transaction(db);
    db.exec(
        "DELETE FROM t; WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM "
        "n WHERE i < 3000) INSERT INTO t SELECT zeroblob(1000) FROM n");
    transaction.commit();
  };
  const auto log_bytes = [&] { return fs::file_size(path + "-wal"); };
  constexpr std::uintmax_t kShort = 4 << 20;
  {
    const Transaction reading(reader, Transaction::Kind::deferred);
    reader.scalar("SELECT count(*) FROM t");
    for (int i = 0; i < 3; ++i) fill();
  }
  CHECK(log_bytes() > 2 * kShort);
  insert(db);  // SQLite writes the log to the file
  insert(db);  // and begins it anew
  CHECK(log_bytes() <= kShort);
  CHECK(db.scalar("SELECT count(*) FROM t") == 3002);
}
