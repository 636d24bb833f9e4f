// Whichever call to the disk fails, and wherever the process is killed: the database opens, its
// mirror is what the ledger folds to, and doing the work again counts nothing twice.
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/reward/world.h"
#include "tests/support/fault_vfs.h"
#include "tests/support/folder.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

namespace fs = std::filesystem;

const std::string kHistory =
    R"({"kind":"node","at":1700000000000,"id":"a","type":"TASK","state":"OPEN","name":"first"}
{"kind":"node","at":1700000000000,"id":"b","type":"TASK","state":"OPEN","name":"second"}
{"kind":"edge","at":1700000000001,"source":"a","target":"b","type":"RELATES"}
)";
const std::string kOutcomes = R"({"id":"o1","taskId":"a","outcome":"failure"}
{"id":"o2","taskId":"ghost","outcome":"failure"}
{"id":"o3","taskId":"a","outcome":"success","relatedNodes":["b"]}
)";

// init, import, ingest, recalibrate: all that a cron job and its inputs do.
void work(const std::string& path) {
  EngineOptions options;
  options.path = path;
  Engine engine(options);
  ingest(engine, kHistory, "history", kStart, "history.jsonl");
  engine.sync();
  ingest(engine, kOutcomes, "outcome", kStart + kHour, "outcomes.ndjson");
  engine.sync();
  engine.recalibrate(kStart + kDay);
}

bool try_to_work(const std::string& path) {
  try {
    work(path);
    return true;
  } catch (const sql::Error&) {
    return false;
  }
}

std::string after_work() {
  const Folder dir;
  work(dir.file("a.db"));
  Engine engine = open(dir.file("a.db"));
  return dump(engine.state()) + dump_mirror(engine);
}

// The database as it was left, and after the same work was done again.
void check_finishes(const std::string& path, const std::string& expected) {
  if (fs::exists(path)) {
    Engine engine = open(path);
    CHECK(engine.verify() == std::vector<std::string>{});
  }
  work(path);
  Engine engine = open(path);
  CHECK(engine.verify() == std::vector<std::string>{});
  CHECK(engine.ledger().last_position() == 6);
  CHECK(engine.dead_letters().size() == 1);
  CHECK(difference(dump(engine.state()) + dump_mirror(engine), expected) == "");
}

int calls_of_work(FaultVfs& vfs) {
  const Folder dir;
  vfs.arm(Fault::none, 0);
  work(dir.file("a.db"));
  return vfs.calls();
}

// Every call with HEBB_SOAK, else every few, beginning elsewhere for each kind of fault.
int stride(int calls) { return std::getenv("HEBB_SOAK") ? 1 : std::max(1, calls / 60); }

void check_fault(Fault fault) {
  FaultVfs vfs;
  const std::string expected = after_work();
  const int calls = calls_of_work(vfs);
  REQUIRE(calls > 100);
  for (int nth = 1 + static_cast<int>(fault); nth <= calls; nth += stride(calls)) {
    CAPTURE(nth);
    const Folder dir;
    vfs.arm(fault, nth);
    const bool done = try_to_work(dir.file("a.db"));
    const bool happened = vfs.happened();
    vfs.recover();
    // A read or a checkpoint may fail without harm; a pulled plug may not go unnoticed in between.
    CHECK((done || happened));
    check_finishes(dir.file("a.db"), expected);
  }
}

TEST_CASE("a call that fails") { check_fault(Fault::error); }
TEST_CASE("a disk that is full") { check_fault(Fault::full); }
TEST_CASE("a write that is cut in half by a power cut") { check_fault(Fault::torn); }
TEST_CASE("a power cut that loses every write that was not synced") {
  check_fault(Fault::power_cut);
}

TEST_CASE("a process that is killed at any step") {
  FaultVfs vfs;
  const std::string expected = after_work();
  const int calls = calls_of_work(vfs);
  int killed = 0;
  for (int nth = 1; nth <= calls; nth += stride(calls)) {
    CAPTURE(nth);
    const Folder dir;
    const pid_t pid = ::fork();
    if (pid == 0) {
      vfs.arm(Fault::kill, nth);
      ::_exit(try_to_work(dir.file("a.db")) ? 0 : 1);
    }
    int status = 0;
    ::waitpid(pid, &status, 0);
    killed += WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    check_finishes(dir.file("a.db"), expected);
  }
  CHECK(killed > 50);
}

TEST_CASE("a full disk is no damage that verify would find") {
  FaultVfs vfs;
  const Folder dir;
  work(dir.file("a.db"));
  EngineOptions options;
  options.path = dir.file("a.db");
  Engine engine(options);
  engine.append(node(kStart + 2 * kDay, "c"));  // which the mirror has not taken in
  vfs.arm(Fault::full, 1);
  CHECK(engine.verify() == std::vector<std::string>{});
  CHECK(vfs.happened());
  vfs.recover();
  CHECK(engine.verify() == std::vector<std::string>{});
}

// --- damage --------------------------------------------------------------------------------------

enum class Verdict { sound, reported, refused, unexplained };

// Opens the file, verifies it and ranks, and returns what a user would be told. Damage has an error
// type of its own; any other exception counts as a crash.
Verdict judge(const std::string& path) {
  try {
    EngineOptions options;
    options.path = path;
    options.create = false;
    Engine engine(options);
    const bool sound = engine.verify().empty();
    engine.rank({});
    engine.recalibrate(kStart + 2 * kDay);
    return sound ? Verdict::sound : Verdict::reported;
  } catch (const sql::NewerSchema&) {
    return Verdict::refused;
  } catch (const sql::Error& e) {
    if (e.corrupt() || e.constraint() || e.cannot_open()) return Verdict::refused;
    std::fprintf(stderr, "unexplained, code %d: %s\n", e.code(), e.what());
  } catch (const std::exception& e) {
    std::fprintf(stderr, "unexplained: %s\n", e.what());
  }
  return Verdict::unexplained;
}

TEST_CASE("a flipped byte is reported or does no harm, and never ends in a crash") {
  const Folder dir;
  const std::string good = dir.file("good.db");
  work(dir.file("a.db"));
  open(dir.file("a.db")).back_up(good, true);
  REQUIRE(judge(good) == Verdict::sound);
  fs::remove(good);
  open(dir.file("a.db")).back_up(good, true);
  const std::string bytes = read_text(good);
  int reported = 0, tried = 0;
  const std::size_t step = bytes.size() / static_cast<std::size_t>(soak(80));
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    // The next byte that is not blank: most of a file is.
    std::size_t i = at;
    while (i < bytes.size() && bytes[i] == 0) ++i;
    if (i >= bytes.size()) break;
    for (const int mask : {0x01, 0x10, 0x80}) {
      const std::string path = dir.file("flipped.db");
      std::string flipped = bytes;
      flipped[i] = static_cast<char>(flipped[i] ^ mask);
      std::ofstream(path, std::ios::binary).write(flipped.data(), std::ssize(flipped));
      ++tried;
      // In a process of its own, so that a crash is seen.
      const pid_t pid = ::fork();
      if (pid == 0) ::_exit(static_cast<int>(judge(path)));
      int status = 0;
      ::waitpid(pid, &status, 0);
      CAPTURE(i, mask);
      CHECK(WIFEXITED(status));
      CHECK(WEXITSTATUS(status) != static_cast<int>(Verdict::unexplained));
      reported += WIFEXITED(status) && WEXITSTATUS(status) != static_cast<int>(Verdict::sound);
      for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(path + suffix);
    }
  }
  CHECK(tried > 100);
  CHECK(reported > tried / 4);
}

// Each row of the ledger as text; or why it cannot be read.
std::string ledger_of(const std::string& path) {
  try {
    sql::Database db(path, sql::Database::Mode::read_only);
    auto& rows = db.query(sql::Query::ledger_rows);
    rows.bind(1, std::numeric_limits<std::int64_t>::min());
    rows.bind(2, std::numeric_limits<std::int64_t>::max());
    std::string text;
    while (rows.step()) {
      for (int i = 0; i < rows.columns(); ++i) {
        const auto bytes = rows.blob(i);
        text += fmt::format("{}:{}:", static_cast<int>(rows.type(i)), bytes.size());
        text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      }
    }
    return text;
  } catch (const sql::Error& e) {
    return e.what();
  }
}

bool verify_finds_something(const std::string& path) {
  try {
    EngineOptions options;
    options.path = path;
    options.create = false;
    return !Engine(options).verify().empty();
  } catch (const sql::Error&) {
    return true;
  }
}

TEST_CASE("a flipped bit in a row of the ledger is noticed by verify") {
  const Folder dir;
  const std::string good = dir.file("good.db"), path = dir.file("flipped.db");
  work(dir.file("a.db"));
  open(dir.file("a.db")).back_up(good, true);
  const std::string bytes = read_text(good), ledger = ledger_of(good);
  Engine whole = open(good);
  const auto page = static_cast<std::size_t>(tables_of(whole).scalar("PRAGMA page_size"));
  const auto root = static_cast<std::size_t>(
      tables_of(whole).scalar("SELECT rootpage FROM sqlite_schema WHERE name = 'event'"));
  int changed = 0;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(soak(600)); ++seed) {
    reward::Random random(seed);
    // The ledger of `work` is one page.
    const std::size_t at = (root - 1) * page + random.below(page);
    const auto bit = static_cast<int>(random.below(8));
    if (bytes[at] == 0) continue;  // most of a page is blank
    std::string flipped = bytes;
    flipped[at] = static_cast<char>(flipped[at] ^ (1 << bit));
    std::ofstream(path, std::ios::binary).write(flipped.data(), std::ssize(flipped));
    const bool differs = ledger_of(path) != ledger;
    changed += differs;
    CAPTURE(at, bit);
    if (differs) CHECK(verify_finds_something(path));
    for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(path + suffix);
  }
  CHECK(changed > 50);
}

// As somebody else's program does.
void change(Engine& engine, const char* sql) {
  sql::Transaction transaction(tables_of(engine));  // knows the triggers, so they may run
  tables_of(engine).exec(sql);
  transaction.commit();
}

TEST_CASE("whatever the mirror or the ledger holds beside the truth is noticed by verify") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  work(path);
  for (const char* sql : {
           "UPDATE edge SET weight = weight * (1 + 1e-12)",
           "UPDATE edge SET touched_at = touched_at + 1",
           "DELETE FROM edge",
           "UPDATE node SET state = 'CLOSED' WHERE id = 'b'",
           "UPDATE node SET name = 'other' WHERE id = 'a'",
           "UPDATE ranking SET largest = largest + 1e-9",
           "DELETE FROM ranking",
           "UPDATE policy SET value = '0.9' WHERE key = 'prior'",
           "UPDATE ranking SET at = at + 1",
           "UPDATE event SET payload = replace(payload, 'failure', 'success')",
           "UPDATE event SET payload = 'nonsense' WHERE position = 3",
           "UPDATE event SET at = at + 1 WHERE position = 4",
           "UPDATE event SET subject = 'b' WHERE kind = 'outcome'",
           "DELETE FROM event WHERE position = 4",
       }) {
    CAPTURE(sql);
    const std::string copy = dir.file("copy.db");
    open(path).back_up(copy, true);
    {
      Engine engine = open(copy);
      change(engine, sql);
      CHECK_FALSE(engine.verify().empty());
    }
    for (const char* suffix : {"", "-wal", "-shm"}) fs::remove(copy + suffix);
  }
}

TEST_CASE("a damaged mirror is made anew from the ledger by a rebuild") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  work(path);
  const std::string expected = after_work();
  Engine engine = open(path);
  change(engine,
         "UPDATE edge SET weight = weight * 2; DELETE FROM ranking; "
         "UPDATE node SET name = 'other', state = 'CLOSED'");
  engine.rebuild();
  CHECK(engine.verify() == std::vector<std::string>{});
  CHECK(difference(dump(engine.state()) + dump_mirror(engine), expected) == "");
}

}  // namespace
}  // namespace hebb::test
