// Backups, and files that are replaced whole or not at all.
#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sql/database.h"
#include "tests/sql/database_support.h"
#include "tests/support/folder.h"

using hebb::sql::Database;
using hebb::sql::Error;
using hebb::sql::FileError;
using hebb::sql::FileReplacement;
using hebb::test::error_of;
using hebb::test::Folder;
using hebb::test::with_wal;
using Existing = FileReplacement::Existing;
using Mode = Database::Mode;
namespace fs = std::filesystem;

namespace {

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

void replace(const std::string& path, const std::string& text,
             Existing existing = Existing::replace) {
  FileReplacement file(path, existing);
  file.write(text);
  file.commit();
}

// But for the logs of databases that are open.
std::vector<std::string> names_in(const Folder& dir) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(dir.file("."))) {
    const std::string name = entry.path().filename();
    if (!name.ends_with("-wal") && !name.ends_with("-shm")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a backup is a whole database in one file, whatever goes on meanwhile") {
  const Folder dir;
  Database db = with_wal(dir.file("a.db"));
  db.exec("CREATE TABLE t (k INTEGER); INSERT INTO t VALUES (1), (2)");
  db.backup_to(dir.file("b.db"));
  db.exec("INSERT INTO t VALUES (3)");
  CHECK(names_in(dir) == Names{"a.db", "b.db"});
  CHECK(text_of(dir.file("b.db"))[19] == 1);  // it can be read where no log can be made
  CHECK(Database(dir.file("b.db"), Mode::read_only).scalar("SELECT count(*) FROM t") == 2);
  db.backup_to(dir.file("b.db"));  // replaces the older one
  CHECK(Database(dir.file("b.db"), Mode::read_only).scalar("SELECT count(*) FROM t") == 3);
}

TEST_CASE("while a backup is made there is one file beside it, under another name") {
  const Folder dir;
  Database db = with_wal(dir.file("a.db"));
  db.exec("CREATE TABLE t (k INTEGER)");
  const int watch = ::inotify_init1(IN_NONBLOCK);
  REQUIRE(::inotify_add_watch(watch, dir.file(".").c_str(), IN_CREATE) >= 0);
  db.backup_to(dir.file("b.db"));
  std::array<char, 4096> made{};
  const auto bytes = ::read(watch, made.data(), made.size());
  REQUIRE(bytes > 0);
  const auto* first = reinterpret_cast<const inotify_event*>(made.data());
  CHECK(std::string(first->name).starts_with("b.db.new-"));
  CHECK(static_cast<std::size_t>(bytes) == sizeof *first + first->len);  // no other
  ::close(watch);
}

TEST_CASE("a damaged database does not replace a good backup") {
  const Folder dir;
  {
    Database db = with_wal(dir.file("a.db"));
    db.exec(
        "CREATE TABLE t (k INTEGER, v TEXT);"
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
        "INSERT INTO t SELECT i, 'value' FROM n");
    db.backup_to(dir.file("b.db"));
    db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }
  std::fstream file(dir.file("a.db"), std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(5 * 4096);
  file << std::string(4096, '\x5a');
  file.close();
  Database db(dir.file("a.db"), Mode::read_write);
  const Error error = error_of([&] { db.backup_to(dir.file("b.db")); });
  CHECK(error.corrupt());
  CHECK(Database(dir.file("b.db"), Mode::read_only).scalar("SELECT count(*) FROM t") == 5000);
  CHECK(names_in(dir) == Names{"a.db", "b.db"});
}

TEST_CASE("a backup never damages its target") {
  const Folder dir;
  Database db = with_wal(dir.file("a.db"));
  db.exec("CREATE TABLE t (k INTEGER)");
  for (const char* of_itself : {"a.db", "a.db-wal", "a.db-shm"}) {
    CAPTURE(of_itself);
    CHECK_THROWS_AS(db.backup_to(dir.file(of_itself)), FileError);
  }
  CHECK(db.scalar("SELECT count(*) FROM t") == 0);
  CHECK_THROWS_AS(db.backup_to(dir.file("no/such/dir.db")), FileError);

  Database other = with_wal(dir.file("b.db"));
  other.exec("CREATE TABLE precious (k INTEGER)");
  const Error error = error_of([&] { db.backup_to(dir.file("b.db")); });
  CHECK(error.busy());
  CHECK(other.scalar("SELECT count(*) FROM precious") == 0);
}

TEST_CASE("a file beside the target that would be rolled back into a backup keeps it away") {
  const Folder dir;
  Database db = with_wal(dir.file("a.db"));
  db.exec("CREATE TABLE t (k INTEGER)");
  write_text(dir.file("b.db-journal"), "somebody's");
  CHECK(error_of([&] { db.backup_to(dir.file("b.db")); }).busy());
  CHECK_FALSE(fs::exists(dir.file("b.db")));
}

TEST_CASE("backups of two databases to one file at once leave one of them, whole") {
  const Folder dir;
  constexpr int kRows = 20'000;
  for (const int k : {1, 2}) {
    Database db = with_wal(dir.file("from" + std::to_string(k)));
    db.exec("CREATE TABLE t (k INTEGER, v TEXT)");
    db.exec("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " +
            std::to_string(kRows) + ") INSERT INTO t SELECT " + std::to_string(k) +
            ", hex(randomblob(40)) FROM n");
  }
  for (int round = 0; round < 5; ++round) {
    // Both begin when the pipe closes.
    std::array<int, 2> gate{};
    REQUIRE(::pipe(gate.data()) == 0);
    std::array<pid_t, 2> pids{};
    for (std::size_t k = 0; k < pids.size(); ++k) {
      pids[k] = ::fork();
      if (pids[k] != 0) continue;
      ::close(gate[1]);
      char c = 0;
      if (::read(gate[0], &c, 1) != 0) ::_exit(3);
      try {
        Database(dir.file("from" + std::to_string(k + 1)), Mode::read_write)
            .backup_to(dir.file("to"));
      } catch (...) {
        ::_exit(2);
      }
      ::_exit(0);
    }
    ::close(gate[0]);
    ::close(gate[1]);
    for (const pid_t pid : pids) {
      int status = 0;
      REQUIRE(::waitpid(pid, &status, 0) == pid);
      CHECK(status == 0);
    }
    Database copy(dir.file("to"), Mode::read_only);
    CHECK(copy.scalar("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'") ==
          1);
    CHECK(copy.scalar("SELECT count(*) FROM t") == kRows);
    CHECK(copy.scalar("SELECT count(DISTINCT k) FROM t") == 1);
  }
  CHECK(names_in(dir) == Names{"from1", "from2", "to"});
}

TEST_CASE("a file is replaced whole, with its permissions, and nothing else is touched") {
  const Folder dir;
  write_text(dir.file("a"), "old");
  write_text(dir.file("a.partial"), "the user's own");
  write_text(dir.file("a.new"), "the user's own");
  ::chmod(dir.file("a").c_str(), 0640);
  replace(dir.file("a"), "new");
  CHECK(text_of(dir.file("a")) == "new");
  struct stat s {};
  REQUIRE(::stat(dir.file("a").c_str(), &s) == 0);
  CHECK((s.st_mode & 07777) == 0640);
  CHECK(text_of(dir.file("a.partial")) == "the user's own");
  CHECK(text_of(dir.file("a.new")) == "the user's own");
  {
    FileReplacement given_up(dir.file("a"), Existing::replace);
    given_up.write("half of it");
    CHECK(text_of(dir.file("a")) == "new");
  }
  CHECK(text_of(dir.file("a")) == "new");
  CHECK(names_in(dir) == Names{"a", "a.new", "a.partial"});
}

TEST_CASE("what is there is kept where it is not to be replaced, also when it came meanwhile") {
  const Folder dir;
  write_text(dir.file("a"), "old");
  CHECK_THROWS_AS(replace(dir.file("a"), "new", Existing::keep), FileError);
  CHECK(text_of(dir.file("a")) == "old");
  FileReplacement late(dir.file("b"), Existing::keep);
  late.write("late");
  write_text(dir.file("b"), "came first");
  CHECK_THROWS_AS(late.commit(), FileError);
  CHECK(text_of(dir.file("b")) == "came first");
}

TEST_CASE("folders, pipes and devices are not replaced") {
  const Folder dir;
  fs::create_directory(dir.file("folder"));
  REQUIRE(::mkfifo(dir.file("pipe").c_str(), 0600) == 0);
  for (const std::string& path : {dir.file("folder"), dir.file("pipe"), std::string("/dev/null")}) {
    CAPTURE(path);
    CHECK_THROWS_AS(replace(path, "new"), FileError);
  }
  struct stat s {};
  REQUIRE(::stat(dir.file("pipe").c_str(), &s) == 0);
  CHECK(S_ISFIFO(s.st_mode));
  REQUIRE(::stat("/dev/null", &s) == 0);
  CHECK(S_ISCHR(s.st_mode));
  CHECK(names_in(dir) == Names{"folder", "pipe"});
}

TEST_CASE("a symbolic link stays, and the file that it leads to is replaced or made") {
  const Folder dir;
  fs::create_directory(dir.file("there"));
  write_text(dir.file("there/a"), "old");
  fs::create_symlink("there/a", dir.file("a"));
  fs::create_symlink("a", dir.file("b"));
  fs::create_symlink("there/new", dir.file("c"));
  fs::create_symlink("loop", dir.file("loop"));
  replace(dir.file("b"), "new");
  CHECK(text_of(dir.file("there/a")) == "new");
  replace(dir.file("c"), "made");
  CHECK(text_of(dir.file("there/new")) == "made");
  CHECK_THROWS_AS(replace(dir.file("loop"), "x"), FileError);
  for (const char* link : {"a", "b", "c", "loop"}) CHECK(fs::is_symlink(dir.file(link)));
  CHECK(names_in(dir) == Names{"a", "b", "c", "loop", "there"});
}

TEST_CASE("a long name and a full disk") {
  const Folder dir;
  const std::string longest(255, 'n');
  replace(dir.file(longest), "text");
  CHECK(text_of(dir.file(longest)) == "text");
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      replace(dir.file(longest), std::string(5000, 'x'));
    } catch (const FileError&) {
      ::_exit(1);
    }
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(pid, &status, 0) == pid);
  CHECK(WEXITSTATUS(status) == 1);
  CHECK(text_of(dir.file(longest)) == "text");
  CHECK(names_in(dir) == Names{longest});
}
