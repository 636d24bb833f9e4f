// An input whose items have neither id nor time counts once, wherever reading it fails or is
// killed, when the same command is run again; and again where it had been read to its end.
#include <csignal>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/engine/ledger_support.h"
#include "tests/sql/temp_dir.h"
#include "tests/support/fault_vfs.h"

namespace hebb::test {
namespace {

constexpr int kOutcomeCount = 1100;  // more than one batch

const std::string& outcomes() {
  static const std::string lines = [] {
    std::string all;
    for (int i = 0; i < kOutcomeCount; ++i) all += outcome_line("t", "");
    return all;
  }();
  return lines;
}

Engine open_durable(const std::string& path) {
  EngineOptions options;
  options.path = path;
  return Engine(options);
}

void make(const std::string& path) {
  Engine engine = open_durable(path);
  engine.append(node(kStart, "t"));
  engine.sync();
}

// Does what `hebb ingest` does. True once it may print what was done with the input.
bool read_outcomes(const std::string& path) {
  Engine engine = open_durable(path);
  ingest(engine, outcomes(), "outcome", kStart + kHour, "(stdin)");
  return engine.sync();
}

// The same, catching errors. A checkpoint may fail after the result may be printed.
bool try_to_read(const std::string& path) {
  try {
    return read_outcomes(path);
  } catch (const sql::Error&) {
    return false;
  }
}

std::int64_t count(const std::string& path) {
  Engine engine = open_durable(path);
  CHECK(engine.verify() == std::vector<std::string>{});
  return failures_of(engine, "t");
}

int calls_of_reading(FaultVfs& vfs) {
  const TempDir dir;
  vfs.arm(Fault::none, 0);
  make(dir.file("a.db"));
  vfs.arm(Fault::none, 0);
  CHECK(read_outcomes(dir.file("a.db")));
  return vfs.calls();
}

// Each call with HEBB_SOAK; else every few, but each of the last ones, where the end of the
// ledger's part, the mirror and the row of `progress` are written.
std::vector<int> calls_to_strike(int calls) {
  constexpr int kLast = 60;
  const int stride = std::getenv("HEBB_SOAK") ? 1 : std::max(1, calls / 40);
  std::vector<int> nths;
  for (int nth = 1; nth <= calls; nth += nth > calls - kLast ? 1 : stride) nths.push_back(nth);
  return nths;
}

void check_counts_once(Fault fault) {
  FaultVfs vfs;
  const int calls = calls_of_reading(vfs);
  REQUIRE(calls > 100);
  int unsaid = 0;
  for (const int nth : calls_to_strike(calls)) {
    CAPTURE(nth);
    const TempDir dir;
    const std::string path = dir.file("a.db");
    make(path);
    vfs.arm(fault, nth);
    const bool said = try_to_read(path);
    vfs.recover();
    unsaid += !said;
    CHECK(read_outcomes(path));
    CHECK(count(path) == (said ? 2 : 1) * kOutcomeCount);
    CHECK(read_outcomes(path));  // on purpose
    CHECK(count(path) == (said ? 3 : 2) * kOutcomeCount);
  }
  CHECK(unsaid > 10);
}

TEST_CASE("outcomes without ids: a call that fails") { check_counts_once(Fault::error); }
TEST_CASE("outcomes without ids: a disk that is full") { check_counts_once(Fault::full); }

TEST_CASE("outcomes without ids: a process that is killed at any step") {
  FaultVfs vfs;
  const int calls = calls_of_reading(vfs);
  auto* said = static_cast<bool*>(
      ::mmap(nullptr, sizeof(bool), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  REQUIRE(said != MAP_FAILED);
  int killed = 0, forgotten = 0;
  for (const int nth : calls_to_strike(calls)) {
    CAPTURE(nth);
    const TempDir dir;
    const std::string path = dir.file("a.db");
    make(path);
    *said = false;
    const int ended = in_child([&] {
      vfs.arm(Fault::kill, nth);
      Engine engine = open_durable(path);
      ingest(engine, outcomes(), "outcome", kStart + kHour, "(stdin)");
      *said = engine.sync();
      return 0;
    });
    killed += ended == -SIGKILL;
    CHECK(read_outcomes(path));
    const auto there = count(path);
    // The commit that forgets the input is written, and the process ends before the disk has it.
    const bool forgot = !*said && there == 2 * kOutcomeCount;
    forgotten += forgot;
    if (!forgot) CHECK(there == (*said ? 2 : 1) * kOutcomeCount);
  }
  ::munmap(said, sizeof(bool));
  CHECK(killed > 50);
  CHECK(forgotten <= 1);  // of all calls, the sync of that commit alone
}

TEST_CASE("a mirror that cannot be written is told, and what was appended stays") {
  FaultVfs vfs;
  const TempDir dir;
  const std::string path = dir.file("a.db");
  make(path);
  std::vector<std::string> told;
  EngineOptions options;
  options.path = path;
  options.warning = [&](const std::string& why) { told.push_back(why); };
  Engine engine(options);
  std::vector<Event> many;  // so many that they are left to sync()
  for (int i = 0; i < 100; ++i) many.push_back(failure(kStart + kHour + i, "t"));
  engine.append(std::move(many));
  vfs.arm(Fault::full, 1);
  CHECK_FALSE(engine.sync());
  REQUIRE(told.size() == 1);
  CHECK(told[0].find("full") != std::string::npos);
  vfs.recover();
  CHECK(engine.sync());
  CHECK(told.size() == 1);
  CHECK(failures_of(engine, "t") == 100);
  CHECK(engine.verify() == std::vector<std::string>{});
}

TEST_CASE("an outcome that lacks room on the disk is not taken at all") {
  FaultVfs vfs;
  const TempDir dir;
  const std::string path = dir.file("a.db");
  make(path);
  EngineOptions options;
  options.path = path;
  Engine engine(options);
  const std::string before = dump(engine.state());
  vfs.arm(Fault::full, 1);
  CHECK_THROWS_AS(engine.append(failure(kStart + kHour, "t")), sql::Error);
  vfs.recover();
  CHECK(difference(dump(engine.state()), before) == "");
  engine.append(failure(kStart + kHour, "t"));
  CHECK(failures_of(engine, "t") == 1);
  CHECK(engine.verify() == std::vector<std::string>{});
}

}  // namespace
}  // namespace hebb::test
