// An input whose items have neither id nor time is there as a whole or not at all, wherever reading
// it fails or is killed.
#include <csignal>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/engine/ledger_support.h"
#include "tests/support/fault_vfs.h"
#include "tests/support/folder.h"

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

// Does what `hebb ingest` does; `taken` is set once ingest() has returned.
void read_outcomes(const std::string& path, bool& taken) {
  Engine engine = open_durable(path);
  ingest(engine, outcomes(), "outcome", kStart + kHour, "(stdin)");
  taken = true;
  engine.sync();
}

std::int64_t count(const std::string& path) {
  Engine engine = open_durable(path);
  CHECK(engine.verify() == std::vector<std::string>{});
  return failures_of(engine, "t");
}

int calls_of_reading(FaultVfs& vfs) {
  const Folder dir;
  vfs.arm(Fault::none, 0);
  make(dir.file("a.db"));
  vfs.arm(Fault::none, 0);
  bool taken = false;
  read_outcomes(dir.file("a.db"), taken);
  CHECK(taken);
  return vfs.calls();
}

// Each call with HEBB_SOAK; else every few, but each of the last ones, where the end of the
// ledger's part and the mirror are written.
std::vector<int> calls_to_strike(int calls) {
  constexpr int kLast = 60;
  const int stride = std::getenv("HEBB_SOAK") ? 1 : std::max(1, calls / 40);
  std::vector<int> nths;
  for (int nth = 1; nth <= calls; nth += nth > calls - kLast ? 1 : stride) nths.push_back(nth);
  return nths;
}

void check_whole_or_not(Fault fault) {
  FaultVfs vfs;
  const int calls = calls_of_reading(vfs);
  REQUIRE(calls > 100);
  int failed = 0;
  for (const int nth : calls_to_strike(calls)) {
    CAPTURE(nth);
    const Folder dir;
    const std::string path = dir.file("a.db");
    make(path);
    vfs.arm(fault, nth);
    bool taken = false;
    try {
      read_outcomes(path, taken);
    } catch (const sql::Error&) {
    }
    vfs.recover();
    failed += !taken;
    const int there = taken ? kOutcomeCount : 0;
    CHECK(count(path) == there);
    read_outcomes(path, taken);
    CHECK(count(path) == there + kOutcomeCount);
  }
  CHECK(failed > 10);
}

TEST_CASE("outcomes without ids: a call that fails") { check_whole_or_not(Fault::error); }
TEST_CASE("outcomes without ids: a disk that is full") { check_whole_or_not(Fault::full); }

TEST_CASE("outcomes without ids: a process that is killed at any step") {
  FaultVfs vfs;
  const int calls = calls_of_reading(vfs);
  auto* taken = static_cast<bool*>(
      ::mmap(nullptr, sizeof(bool), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  REQUIRE(taken != MAP_FAILED);
  int killed = 0;
  for (const int nth : calls_to_strike(calls)) {
    CAPTURE(nth);
    const Folder dir;
    const std::string path = dir.file("a.db");
    make(path);
    *taken = false;
    const int ended = in_child([&] {
      vfs.arm(Fault::kill, nth);
      read_outcomes(path, *taken);
      return 0;
    });
    killed += ended == -SIGKILL;
    const auto there = count(path);
    CHECK((there == kOutcomeCount || (there == 0 && !*taken)));
  }
  ::munmap(taken, sizeof(bool));
  CHECK(killed > 50);
}

TEST_CASE("a mirror that cannot be written is told, and what was appended stays") {
  FaultVfs vfs;
  const Folder dir;
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
  const Folder dir;
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
