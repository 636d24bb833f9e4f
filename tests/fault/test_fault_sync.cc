// A disk of which syncs fail, once or for good, with and without a power cut afterwards: every
// write that was confirmed is there, none that was refused is, and nothing is damaged. EIO and
// ENOSPC are one error to SQLite.
#include <set>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/engine/ledger_support.h"
#include "tests/reward/world.h"
#include "tests/support/fault_vfs.h"
#include "tests/support/folder.h"

namespace hebb::test {
namespace {

constexpr int kWrites = 14;

std::string id_of(int i) { return fmt::format("o{}", i); }

Engine open_at_once(const std::string& path) {
  EngineOptions options;
  options.path = path;
  options.busy_timeout_ms = 0;
  return Engine(options);
}

struct Answers {
  std::set<int> confirmed, refused;
};

// Two programs append in turn. Their log is written to the database often, which syncs both files.
// `cut_after` so many writes the power is cut; -1: it is not, and they end as programs do.
Answers write(FaultVfs& vfs, const std::string& path, int cut_after) {
  Answers answers;
  try {
    std::vector<Engine> engines;
    for (int i = 0; i < 2; ++i) {
      engines.push_back(open_at_once(path));
      tables_of(engines.back()).exec("PRAGMA wal_autocheckpoint=20");
    }
    for (int i = 0; i < kWrites; ++i) {
      if (i == cut_after) vfs.cut();
      try {
        engines[static_cast<std::size_t>(i % 2)].append(keyed(failure(kStart + i, "t"), id_of(i)));
        answers.confirmed.insert(i);
      } catch (const sql::Error&) {
        if (cut_after < 0 || i < cut_after) answers.refused.insert(i);
      }
    }
    if (cut_after == kWrites) vfs.cut();
  } catch (const sql::Error&) {  // not even opened
  }
  return answers;
}

void make_task(const std::string& path) {
  Engine engine = open_at_once(path);
  engine.append(node(kStart, "t"));
}

void check(const std::string& path, const Answers& answers, bool by_chance) {
  Engine engine = open_at_once(path);
  CHECK(engine.verify() == std::vector<std::string>{});
  CHECK(tables_of(engine).scalar(
            "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'") == 0);
  const auto is_there = [&](int i) {
    return engine.ledger().position_of(event_key(OutcomeSignal{}, id_of(i))).has_value();
  };
  std::vector<int> lost, kept;
  for (const int i : answers.confirmed)
    if (!is_there(i)) lost.push_back(i);
  for (const int i : answers.refused)
    if (is_there(i)) kept.push_back(i);
  CHECK(lost == std::vector<int>{});
  // The disk may hold a whole commit although its sync failed. Nothing is overwritten
  // then where the power is cut, or the programs end, before another commit succeeds.
  const int last = answers.confirmed.empty() ? -1 : *answers.confirmed.rbegin();
  if (!by_chance) CHECK(kept == std::vector<int>{});
  CHECK(kept.size() <= 1);
  for (const int i : kept) CHECK(i > last);
  engine.append(keyed(failure(kStart + kDay, "t"), "later"));
  CHECK(engine.verify() == std::vector<std::string>{});
}

TEST_CASE("syncs that fail, at each sync in turn, with and without a power cut", "[sync]") {
  FaultVfs vfs;
  const bool and_all_after = GENERATE(false, true), cuts = GENERATE(true, false);
  int syncs = 0;
  {
    const Folder dir;
    make_task(dir.file("a.db"));
    vfs.fail_syncs(0, false, 0);
    CHECK(write(vfs, dir.file("a.db"), -1).confirmed.size() == kWrites);
    syncs = vfs.syncs();
  }
  CHECK(syncs > kWrites + 4);  // also of checkpoints
  int refused = 0;
  for (int seed = 0; seed < soak(3); ++seed) {
    for (int nth = 1; nth <= syncs; ++nth) {
      CAPTURE(and_all_after, cuts, seed, nth);
      const Folder dir;
      const std::string path = dir.file("a.db");
      make_task(path);
      reward::Random random(static_cast<std::uint64_t>(1 + seed * syncs + nth));
      const int cut_after = cuts ? static_cast<int>(random.below(kWrites + 1)) : -1;
      vfs.fail_syncs(nth, and_all_after, seed == 0 ? 0 : 1 + random.below(1 << 30));
      const Answers answers = write(vfs, path, cut_after);
      vfs.recover();
      refused += static_cast<int>(answers.refused.size());
      // Without a cut what was written is still in memory, whatever the disk said.
      check(path, answers, seed != 0 || !cuts);
    }
  }
  CHECK(refused > 10);
}

}  // namespace
}  // namespace hebb::test
