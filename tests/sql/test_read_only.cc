// Reading where nothing can be written: by somebody who may not, in a process of its own.
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include <catch2/catch.hpp>
#include <grp.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sql/database.h"
#include "tests/support/folder.h"

using hebb::sql::Database;
using hebb::sql::Error;
using hebb::test::Folder;
using Mode = Database::Mode;
namespace fs = std::filesystem;

namespace {

constexpr int kWasBusy = 101, kUnwritable = 102, kOtherError = 105;

// Its exit code, as a user who may write nothing here: nobody for root, else whoever owns the files
// and has taken his own rights away.
int as_reader(const std::function<int()>& work) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    constexpr unsigned kNobody = 65534;
    if (::geteuid() == 0 &&
        (::setgroups(0, nullptr) != 0 || ::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) {
      ::_exit(103);
    }
    try {
      ::_exit(work());
    } catch (const Error& e) {
      ::_exit(e.busy() ? kWasBusy : e.unwritable() ? kUnwritable : kOtherError);
    } catch (...) {
      ::_exit(104);
    }
  }
  int status = 0;
  REQUIRE(::waitpid(pid, &status, 0) == pid);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int rows(Database& db) { return static_cast<int>(db.scalar("SELECT count(*) FROM t")); }

// How many rows a reader sees.
int seen(const std::string& path) {
  return as_reader([&] {
    Database db(path, Mode::read_only);
    return rows(db);
  });
}

// Nothing in it can be written, but for the guard's life.
class Locked {
 public:
  explicit Locked(std::string folder) : folder_(std::move(folder)) {
    for (const auto& entry : fs::directory_iterator(folder_)) ::chmod(entry.path().c_str(), 0444);
    ::chmod(folder_.c_str(), 0555);
  }
  ~Locked() {
    ::chmod(folder_.c_str(), 0755);
    for (const auto& entry : fs::directory_iterator(folder_)) ::chmod(entry.path().c_str(), 0644);
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  std::string folder_;
};

// One row in the file and one in its log, if `log`; closed like that.
void make(const std::string& path, bool log) {
  const Folder dir;
  Database db(dir.file("a.db"), Mode::read_write_create);
  db.use_wal();
  db.exec("CREATE TABLE t (k INTEGER); INSERT INTO t VALUES (1); PRAGMA wal_checkpoint(TRUNCATE)");
  db.exec("INSERT INTO t VALUES (2)");
  if (!log) db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  fs::copy_file(dir.file("a.db"), path);
  if (log) fs::copy_file(dir.file("a.db-wal"), path + "-wal");
}

std::size_t files_in(const std::string& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

struct Place {
  Place() {
    ::chmod(dir.file(".").c_str(), 0755);
    fs::create_directory(folder);
  }
  Folder dir;
  std::string folder = dir.file("100 % of? a#folder \xc3\xa9");
  std::string db = folder + "/a.db";
};

}  // namespace

TEST_CASE("a database in a folder that cannot be written is read, and no file is made") {
  const Place place;
  make(place.db, false);
  const Locked locked(place.folder);
  CHECK(seen(place.db) == 2);
  CHECK(files_in(place.folder) == 1);
}

TEST_CASE("what stands only in the log that a killed writer left is read there, too") {
  const Place place;
  make(place.db, true);
  SECTION("without the log's index") {
    const Locked locked(place.folder);
    CHECK(seen(place.db) == 2);
    CHECK(files_in(place.folder) == 2);
  }
  SECTION("with it") {
    std::ofstream(place.db + "-shm", std::ios::binary) << std::string(32768, '\0');
    const Locked locked(place.folder);
    CHECK(seen(place.db) == 2);
    CHECK(files_in(place.folder) == 3);
  }
}

TEST_CASE("a copy without a log, as a backup makes it, is read under locks") {
  const Place place;
  make(place.db, false);
  Database(place.db, Mode::read_write).backup_to(place.folder + "/b.db");
  const Locked locked(place.folder);
  CHECK(seen(place.folder + "/b.db") == 2);
}

TEST_CASE("where there is no room for a file of locks a database is read without one") {
  const Place place;
  make(place.db, GENERATE(false, true));
  const auto on_a_full_disk = [&](Mode mode) {
    return as_reader([&] {
      ::signal(SIGXFSZ, SIG_IGN);
      const rlimit nothing{0, 0};
      ::setrlimit(RLIMIT_FSIZE, &nothing);
      Database db(place.db, mode);
      return rows(db);
    });
  };
  ::chmod(place.folder.c_str(), 0777);
  for (const auto& entry : fs::directory_iterator(place.folder))
    ::chmod(entry.path().c_str(), 0666);
  CHECK(on_a_full_disk(Mode::read_write) == kUnwritable);
  CHECK(on_a_full_disk(Mode::read_only) == 2);
  CHECK(on_a_full_disk(Mode::read_only) == 2);  // with what the first has left there
  CHECK(seen(place.db) == 2);
  Database writer(place.db, Mode::read_write);
  writer.use_wal();
  writer.exec("INSERT INTO t VALUES (3)");
  CHECK(seen(place.db) == 3);
}

TEST_CASE("a reader who may write to the folder alone leaves nothing that shuts the owner out") {
  const Place place;
  make(place.db, false);
  ::chmod(place.db.c_str(), 0444);
  ::chmod(place.folder.c_str(), 0777);
  CHECK(seen(place.db) == 2);
  CHECK(files_in(place.folder) == 1);
  // Also who tries to write first, and reads because that is refused.
  CHECK(as_reader([&] {
          Database db(place.db, Mode::read_write);
          return 0;
        }) == kUnwritable);
  CHECK(files_in(place.folder) == 1);
}

TEST_CASE("a reader of a database that is open elsewhere sees what is committed there") {
  const Place place;
  make(place.db, false);
  Database writer(place.db, Mode::read_write);
  writer.use_wal();
  writer.exec("INSERT INTO t VALUES (3)");
  const Locked locked(place.folder);
  CHECK(seen(place.db) == 3);
}

TEST_CASE("what is written while somebody reads without locks is noticed, not read") {
  const Place place;
  make(place.db, GENERATE(false, true));
  const Locked locked(place.folder);
  std::array<int, 2> go{}, ready{};
  REQUIRE(::pipe(go.data()) == 0);
  REQUIRE(::pipe(ready.data()) == 0);
  // A writer of its own, which the reader waits for in the middle.
  const pid_t writer = ::fork();
  if (writer == 0) {
    char c = 0;
    if (::read(go[0], &c, 1) != 1) ::_exit(1);
    ::chmod(place.folder.c_str(), 0755);
    ::chmod(place.db.c_str(), 0644);
    {
      Database db(place.db, Mode::read_write);
      db.use_wal();
      db.exec("INSERT INTO t VALUES (3)");
    }
    ::_exit(::write(ready[1], &c, 1) == 1 ? 0 : 1);
  }
  const int code = as_reader([&] {
    Database db(place.db, Mode::read_only);
    if (rows(db) != 2) return 1;
    char c = 'x';
    if (::write(go[1], &c, 1) != 1 || ::read(ready[0], &c, 1) != 1) return 2;
    return rows(db);
  });
  CHECK(code == kWasBusy);
  int status = 0;
  REQUIRE(::waitpid(writer, &status, 0) == writer);
  CHECK(status == 0);
  for (const int fd : {go[0], go[1], ready[0], ready[1]}) ::close(fd);
  CHECK(seen(place.db) == 3);
}

TEST_CASE("where nothing can be written a writer is told so at once") {
  const Place place;
  make(place.db, false);
  const Locked locked(place.folder);
  CHECK(as_reader([&] {
          Database db(place.db, Mode::read_write);
          return rows(db);
        }) == kUnwritable);
  CHECK(files_in(place.folder) == 1);
}
