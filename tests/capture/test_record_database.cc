// What reaches the database, and that a database out of reach changes nothing for the traffic.
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/actions/store.h"
#include "sql/database.h"
#include "tests/capture/record_support.h"
#include "tests/support/fault_vfs.h"

namespace hebb::capture::test {
namespace {

namespace fs = std::filesystem;

// Answers `count` calls, the last first, once all have come.
std::vector<std::string> backwards(int count) {
  return {"awk", "-v", "n=" + std::to_string(count),
          R"({ sub(/.*"id":/, ""); sub(/}.*/, ""); id[NR] = $0 }
             NR == n { for (i = n; i > 0; --i)
               print "{\"jsonrpc\":\"2.0\",\"id\":" id[i] ",\"result\":{\"content\":[]}}" })"};
}

std::vector<ActionRow> rows_of(const std::string& path) {
  sql::Database db(path, sql::Database::Mode::read_write);
  std::vector<ActionRow> rows;
  read_actions(db, {}, [&](ActionRow row) { rows.push_back(std::move(row)); });
  return rows;
}

std::string call_lines(int count) {
  std::string input;
  for (int i = 1; i <= count; ++i) input += call(i, "tool", "{\"n\":" + std::to_string(i) + "}");
  return input;
}

std::size_t count_of(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

// Holds a database's write lock, in a process of its own: a connection that was opened before a
// fork is of no use in the child.
class Lock {
 public:
  explicit Lock(const std::string& path) {
    int told[2], ask[2];
    if (pipe2(told, O_CLOEXEC) != 0 || pipe2(ask, O_CLOEXEC) != 0) throw std::runtime_error("pipe");
    pid_ = fork();
    if (pid_ == 0) {
      close(ask[1]);
      sql::Database db(path, sql::Database::Mode::read_write_create);
      sql::migrate(db);
      db.exec("BEGIN IMMEDIATE");
      char byte = 'x';
      const bool held = write(told[1], &byte, 1) == 1 && read(ask[0], &byte, 1) == 1;
      db.exec("ROLLBACK");
      _exit(held ? 0 : 1);
    }
    close(told[1]);
    close(ask[0]);
    ask_ = ask[1];
    char byte = 0;
    if (read(told[0], &byte, 1) != 1) throw std::runtime_error("the lock is not held");
    close(told[0]);
  }
  ~Lock() { release(); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

  void release() {
    if (pid_ == 0) return;
    // Not by closing it: what was forked meanwhile has it open too.
    const bool asked = write(ask_, "x", 1) == 1;
    close(ask_);
    if (asked) waitpid(std::exchange(pid_, 0), nullptr, 0);
  }

 private:
  pid_t pid_ = 0;
  int ask_ = -1;
};

// The traffic of a run whose database is out of reach, compared with the server alone.
Seen unharmed(const Client& client, const std::string& database) {
  const Seen direct = run_direct(backwards(50), {.input = client.input});
  const Seen recorded = run_recorded(backwards(50), client, database);
  CHECK(recorded.out == direct.out);
  CHECK(recorded.status == direct.status);
  CHECK(count_of(recorded.err, "the traffic goes on") == 1);
  CHECK(recorded.err.find("50 calls were not recorded") != std::string::npos);
  return recorded;
}

}  // namespace

TEST_CASE("record: a thousand calls at the same time lose no row and share a sequence") {
  const Folder dir;
  const Seen seen = run_recorded(backwards(1000), {.input = call_lines(1000)}, dir.file("log.db"));
  CHECK(seen.err.empty());
  CHECK(count_of(seen.out, "\n") == 1000);
  const auto rows = rows_of(dir.file("log.db"));
  REQUIRE(rows.size() == 1000);
  for (const ActionRow& row : rows) {
    REQUIRE(row.success);
    REQUIRE(row.agent_id == "tester");
    REQUIRE(row.sequence_id == rows[0].sequence_id);
    REQUIRE(row.duration_ms >= 0);
  }
}

TEST_CASE("record: without a thread there is no record, and the traffic is the same") {
  const Folder dir;
  pthread_attr_t huge;
  pthread_attr_init(&huge);
  pthread_attr_setstacksize(&huge, std::size_t{1} << 46);
  const Seen direct = run_direct(backwards(50), {.input = call_lines(50)});
  // In the child alone: this process starts threads too.
  const Seen seen = run_recorded(backwards(50), {.input = call_lines(50)}, dir.file("log.db"),
                                 [&] { pthread_setattr_default_np(&huge); });
  CHECK(seen.out == direct.out);
  CHECK(seen.status == direct.status);
  CHECK(count_of(seen.err, "the traffic goes on") == 1);
  CHECK_FALSE(std::filesystem::exists(dir.file("log.db")));
  pthread_attr_destroy(&huge);
}

TEST_CASE("record: what a disk that hangs has not taken is told", "[slow]") {
  const Folder dir;
  {
    sql::Database db(dir.file("log.db"), sql::Database::Mode::read_write_create);
    sql::migrate(db);
  }
  const int call = GENERATE(1, 15);  // as it opens; as it writes
  const Seen seen = run_recorded(backwards(50), {.input = call_lines(50)}, dir.file("log.db"), [&] {
    static hebb::test::FaultVfs disk;
    disk.arm(hebb::test::Fault::hang, call);
  });
  CHECK(count_of(seen.out, "\n") == 50);
  CHECK(seen.status == 0);
  INFO(seen.err);
  CHECK(seen.err.find(call == 1 ? "100 lines went by unseen" : "50 calls were not recorded") !=
        std::string::npos);
}

TEST_CASE("record: where every core is busy no row is lost") {
  const Folder dir;
  std::vector<pid_t> busy;
  for (unsigned i = 0; i < 2 * std::thread::hardware_concurrency(); ++i) {
    busy.push_back(fork());
    if (busy.back() == 0) {
      for (volatile bool forever = true; forever;) {
      }
    }
  }
  const Seen seen = run_recorded(backwards(1000), {.input = call_lines(1000)}, dir.file("log.db"));
  for (const pid_t pid : busy) {
    kill(pid, SIGKILL);
    waitpid(pid, nullptr, 0);
  }
  CHECK(seen.err.empty());
  CHECK(rows_of(dir.file("log.db")).size() == 1000);
}

TEST_CASE("record: two recorders may write to one database at once") {
  const Folder dir;
  // From a process each: a recorder starts a thread, and ThreadSanitizer ends a child that does so
  // if its parent had threads when it forked.
  std::array<pid_t, 2> recorders{};
  for (pid_t& pid : recorders) {
    pid = fork();
    if (pid != 0) continue;
    const Seen seen = run_recorded(backwards(300), {.input = call_lines(300)}, dir.file("log.db"));
    _exit(seen.status == 0 && seen.err.empty() ? 0 : 1);
  }
  for (const pid_t pid : recorders) {
    int status = 0;
    REQUIRE(waitpid(pid, &status, 0) == pid);
    CHECK(status == 0);
  }
  const auto rows = rows_of(dir.file("log.db"));
  REQUIRE(rows.size() == 600);
  CHECK(rows.front().sequence_id != rows.back().sequence_id);
  CHECK(rows.front().session_id != rows.back().session_id);
}

TEST_CASE("record: calls that a server leaves unanswered fail with the reason") {
  const Folder dir;
  SECTION("it died") {
    run_recorded(sh("head -n 2 >/dev/null; kill -KILL $$"),
                 {.input = call_lines(2), .keeps_stdin = true}, dir.file("log.db"));
    const auto rows = rows_of(dir.file("log.db"));
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].failure == "server_exit: signal 9");
    CHECK_FALSE(rows[0].success);
  }
  SECTION("it ended") {
    run_recorded(sh("head -n 2 >/dev/null; exit 3"), {.input = call_lines(2), .keeps_stdin = true},
                 dir.file("log.db"));
    CHECK(rows_of(dir.file("log.db")).at(1).failure == "server_exit: code 3");
  }
  SECTION("the client closed before the answer") {
    run_recorded(sh("cat >/dev/null"), {.input = call_lines(1)}, dir.file("log.db"));
    CHECK(rows_of(dir.file("log.db")).at(0).failure == "client_closed");
  }
}

TEST_CASE("record: a payload of megabytes is kept as far as the bound, and its call is paired") {
  const Folder dir;
  const std::string text(5 << 20, 'x');
  const std::string input = call(1, "write", "{\"text\":\"" + text + "\"}") + call(2, "small");
  const Seen seen = run_recorded(
      sh("cat >/dev/null; printf '{\"result\":{\"content\":[{\"text\":\"'; head -c 3000000 "
         "/dev/zero "
         "| tr '\\0' y; printf '\"}],\"isError\":true},\"jsonrpc\":\"2.0\",\"id\":1}\\n'; "
         "echo '{\"result\":{},\"id\":2,\"jsonrpc\":\"2.0\"}'"),
      {.input = input}, dir.file("log.db"));
  CHECK(seen.out.size() > 3'000'000);
  const auto rows = rows_of(dir.file("log.db"));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].tool == "write");
  CHECK(rows[0].args.size() == 64 << 10);
  CHECK(rows[0].args_bytes == static_cast<std::int64_t>(text.size() + 11));
  CHECK(rows[0].args_cut());
  CHECK(rows[0].result_bytes > 3'000'000);
  CHECK(rows[0].failure == "tool_error");
  CHECK(rows[1].success);
}

TEST_CASE("record: a batch too large to be read is told, and its calls did not fail") {
  const Folder dir;
  const std::string text(2 << 20, 'x');
  SECTION("of answers") {
    const Seen seen = run_recorded(
        sh("cat >/dev/null; printf '[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"t\":\"'; "
           "head -c 2000000 /dev/zero | tr '\\0' y; printf '\"}}]\\n'; "
           "echo '{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}'"),
        {.input = call_lines(2)}, dir.file("log.db"));
    const auto rows = rows_of(dir.file("log.db"));
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].success);
    CHECK(seen.err.find("1 call was not recorded") != std::string::npos);
    CHECK(seen.err.find("1 line went by unseen") != std::string::npos);
  }
  SECTION("of calls") {
    std::string batch = call(1, "write", "{\"text\":\"" + text + "\"}");
    batch.back() = ']';
    const Seen seen = run_recorded(
        sh("cat >/dev/null"), {.input = "[" + batch + "\n" + call_lines(1)}, dir.file("log.db"));
    CHECK(rows_of(dir.file("log.db")).size() <= 1);
    CHECK(seen.err.find("1 line went by unseen") != std::string::npos);
  }
}

TEST_CASE("record: a database out of reach changes nothing for the traffic", "[slow]") {
  const Folder dir;
  SECTION("in a folder that does not exist") {
    unharmed({.input = call_lines(50)}, dir.file("no/such/log.db"));
  }
  SECTION("that is a folder") { unharmed({.input = call_lines(50)}, dir.file("")); }
  SECTION("where nothing can be written") { unharmed({.input = call_lines(50)}, "/proc/log.db"); }
  SECTION("not named") { unharmed({.input = call_lines(50)}, ""); }
  SECTION("that is no database") {
    std::ofstream(dir.file("log.db")) << std::string(4096, 'x');
    unharmed({.input = call_lines(50)}, dir.file("log.db"));
  }
  SECTION("locked") {
    const Lock lock(dir.file("log.db"));
    unharmed({.input = call_lines(50)}, dir.file("log.db"));
  }
  SECTION("of a newer schema") {
    {
      sql::Database db(dir.file("log.db"), sql::Database::Mode::read_write_create);
      sql::migrate(db);
      db.exec("PRAGMA user_version = 1000000");
    }
    const Seen seen = unharmed({.input = call_lines(50)}, dir.file("log.db"));
    CHECK(seen.err.find("newer") != std::string::npos);
  }
  SECTION("that may only be read") {
    {
      sql::Database db(dir.file("log.db"), sql::Database::Mode::read_write_create);
      sql::migrate(db);
    }
    // Not by its mode, which does not bind root: SQLite cannot make its write-ahead log.
    fs::create_directory(dir.file("log.db-wal"));
    fs::create_directory(dir.file("log.db-shm"));
    unharmed({.input = call_lines(50)}, dir.file("log.db"));
  }
  SECTION("on a disk that fills up: an existing log") {
    {
      sql::Database db(dir.file("log.db"), sql::Database::Mode::read_write_create);
      sql::migrate(db);
    }
    const auto size = fs::file_size(dir.file("log.db"));
    Client client{.input = call_lines(50)};
    client.file_size_limit = size;  // the rows go to a write-ahead log that may not grow so far
    std::string big;
    for (int i = 1; i <= 50; ++i) {
      big += call(i, "tool", "{\"text\":\"" + std::string(60'000, 'x') + "\"}");
    }
    client.input = big;
    unharmed(client, dir.file("log.db"));
    CHECK(rows_of(dir.file("log.db")).empty());
  }
  SECTION("on a full disk") {
    Client client{.input = call_lines(50)};
    client.file_size_limit = 20'000;  // less than the schema takes
    unharmed(client, dir.file("log.db"));
  }
}

TEST_CASE("record: a lock that goes away in time costs no row") {
  const Folder dir;
  Lock lock(dir.file("log.db"));
  Client client{.input = call_lines(50), .keeps_stdin = true};
  client.on_output = [&](std::string_view out, pid_t) {
    if (count_of(out, "\n") == 50) lock.release();
  };
  const auto server =
      sh("for i in $(seq 50); do read -r line; echo "
         "'{\"jsonrpc\":\"2.0\",\"result\":{},\"id\":'$i'}'; done");
  const Seen seen = run_recorded(server, client, dir.file("log.db"));
  CAPTURE(seen.err, seen.out.size());
  CHECK(rows_of(dir.file("log.db")).size() == 50);
}

}  // namespace hebb::capture::test
