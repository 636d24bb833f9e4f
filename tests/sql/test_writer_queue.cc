// Writers that wait for each other: in the order in which they came, for as long as they want to,
// and not for the dead.
#include <atomic>
#include <csignal>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sql/writer_queue.h"
#include "tests/sql/database_support.h"
#include "tests/support/folder.h"
#include "tests/support/log_sync.h"

namespace hebb::test {
namespace {

constexpr int kLong = 60'000;  // ms: for what must not fail

struct Queue {
  Folder dir;
  std::string path = dir.file("a.db");
  Queue() { with_wal(path); }
  sql::WriterQueue turns() const { return sql::WriterQueue(path); }
  // Until somebody is the next, which one waits to become.
  void until_somebody_waits() const {
    const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    struct flock next {};
    do {
      next = {};
      next.l_type = F_WRLCK;
      next.l_start = off_t{1} << 62;
      next.l_len = 1;
      REQUIRE(::fcntl(fd, F_OFD_GETLK, &next) == 0);
      std::this_thread::yield();
    } while (next.l_type == F_UNLCK);
    ::close(fd);
  }
};

}  // namespace

TEST_CASE("turns: one at a time has the turn, also within one process", "[turns]") {
  const Queue queue;
  sql::WriterQueue a = queue.turns(), b = queue.turns();
  auto first = a.wait(0);
  REQUIRE(first);
  CHECK_FALSE(b.wait(0));
  CHECK_FALSE(b.wait(5));
  first.reset();
  CHECK(b.wait(kLong));
  CHECK(a.wait(kLong));
}

TEST_CASE("turns: whoever has just had a turn comes after one that waits", "[turns]") {
  const Queue queue;
  sql::WriterQueue a = queue.turns(), b = queue.turns();
  auto first = a.wait(0);
  REQUIRE(first);
  std::atomic<bool> b_had_it = false;
  std::thread waiting([&] {
    const auto turn = b.wait(kLong);
    b_had_it = turn != nullptr;
  });
  queue.until_somebody_waits();
  first.reset();
  const auto again = a.wait(kLong);
  CHECK(b_had_it);
  CHECK(again);
  waiting.join();
}

TEST_CASE("turns: one that has waited in vain gives back the turn that it gets too late",
          "[turns]") {
  const Queue queue;
  sql::WriterQueue a = queue.turns(), b = queue.turns(), c = queue.turns();
  auto first = a.wait(0);
  REQUIRE(first);
  CHECK_FALSE(b.wait(1));
  CHECK_FALSE(c.wait(1));
  first.reset();
  CHECK(c.wait(kLong));
  CHECK(b.wait(kLong));
  CHECK(a.wait(kLong));
}

TEST_CASE("turns: the turn of a process that is killed, and its place in the queue, are free again",
          "[turns]") {
  const Queue queue;
  const bool has_turn = GENERATE(true, false);
  sql::WriterQueue a = queue.turns(), b = queue.turns();
  auto first = has_turn ? nullptr : a.wait(0);
  const pid_t child = ::fork();
  if (child == 0) {
    sql::WriterQueue killed = queue.turns();
    const auto turn = killed.wait(kLong);
    for (;;) ::pause();
  }
  if (has_turn) {
    while (a.wait(0)) std::this_thread::yield();
  } else {
    queue.until_somebody_waits();
  }
  ::kill(child, SIGKILL);
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  first.reset();
  CHECK(b.wait(kLong));
}

TEST_CASE("turns: a writer waits for SQLite's lock where the queue is not heeded", "[turns]") {
  const Queue queue;
  sql::Database a = with_wal(queue.path, 1), b = with_wal(queue.path, kLong);
  SECTION("somebody wrote without waiting for a turn") {
    b.exec("BEGIN IMMEDIATE");
    CHECK(error_of([&] { sql::Transaction write(a); }).busy());
    b.exec("COMMIT");
  }
  SECTION("somebody has the turn and does not write") {
    sql::WriterQueue idle = queue.turns();
    const auto turn = idle.wait(0);
    REQUIRE(turn);
    sql::Transaction write(a);
    write.commit();
    CHECK(a.busy_timeout_ms() == 1);
  }
  sql::Transaction write(b);
  CHECK(error_of([&] { sql::Transaction other(a); }).busy());
  write.commit();
  sql::Transaction other(a);
}

// Before this was bounded, a writer waited here for as long as it may wait for anything.
TEST_CASE("turns: a process that is stopped while it waits is handed the turn, and others write",
          "[turns]") {
  constexpr int kForDays = 1'000'000'000;
  const Queue queue;
  sql::Database db = with_wal(queue.path, kForDays);
  sql::WriterQueue a = queue.turns();
  auto first = a.wait(0);
  REQUIRE(first);
  const pid_t stopped = ::fork();
  if (stopped == 0) {
    sql::WriterQueue waits = queue.turns();
    const auto turn = waits.wait(kForDays);
    for (;;) ::pause();
  }
  queue.until_somebody_waits();
  REQUIRE(::kill(stopped, SIGSTOP) == 0);
  int status = 0;
  REQUIRE(::waitpid(stopped, &status, WUNTRACED) == stopped);
  first.reset();
  for (int i = 0; i < 2; ++i) {
    sql::Transaction write(db);
    write.commit();
  }
  CHECK_FALSE(a.wait(0));  // the stopped one has it
  ::kill(stopped, SIGKILL);
  ::waitpid(stopped, nullptr, 0);
  CHECK(a.wait(kLong));
}

TEST_CASE("a commit is on the disk before others can write or see it") {
  const Queue queue;
  sql::Database a = with_wal(queue.path), b = with_wal(queue.path, 0);
  a.exec("CREATE TABLE t (k INTEGER)");
  int syncs = 0;
  on_log_sync(a.handle(), [&] {
    ++syncs;
    CHECK(error_of([&] { sql::Transaction other(b); }).busy());
    CHECK(b.scalar("SELECT count(*) FROM t") == 0);
    return SQLITE_OK;
  });
  sql::Transaction transaction(a);
  a.exec("INSERT INTO t VALUES (1)");
  transaction.commit();
  CHECK(syncs == 1);
  CHECK(b.scalar("SELECT count(*) FROM t") == 1);
  on_log_sync(a.handle(), [] { return SQLITE_OK; });  // which closing waits for, too
}

TEST_CASE("a commit whose sync fails was not made, and the next one is whole") {
  const Queue queue;
  sql::Database db = with_wal(queue.path);
  db.exec("CREATE TABLE t (k INTEGER)");
  bool fails = true;
  on_log_sync(db.handle(), [&] { return fails ? SQLITE_IOERR_FSYNC : SQLITE_OK; });
  const auto write = [&] {
    sql::Transaction transaction(db);
    db.exec("INSERT INTO t VALUES (1)");
    transaction.commit();
  };
  CHECK(error_of(write).code() == SQLITE_IOERR_FSYNC);
  CHECK(db.scalar("SELECT count(*) FROM t") == 0);
  CHECK(with_wal(queue.path).scalar("SELECT count(*) FROM t") == 0);
  CHECK(error_of(write).code() == SQLITE_IOERR_FSYNC);
  fails = false;
  write();
  CHECK(db.scalar("SELECT count(*) FROM t") == 1);
  on_log_sync(db.handle(), [] { return SQLITE_OK; });  // which closing waits for, too
}

TEST_CASE("turns: a database that is no file has no queue", "[turns]") {
  sql::WriterQueue none{""}, nowhere{"/nowhere/a.db"};
  CHECK_FALSE(none.wait(kLong));
  CHECK_FALSE(nowhere.wait(kLong));
  sql::Database db(":memory:", sql::Database::Mode::read_write_create);
  sql::Transaction write(db);
  write.commit();
}

}  // namespace hebb::test
