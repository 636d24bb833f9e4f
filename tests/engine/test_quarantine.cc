// What quarantine does beyond the fold of nodes and edges: to claims, and when it is undone.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/sql/temp_dir.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

using Strings = std::vector<std::string>;

Event claim(const std::string& task) {
  Event e;
  e.at = kStart + kHour;
  e.subject = task;
  e.payload = Claim{.agent = "ann", .expires_at = kStart + kDay};
  return e;
}

Strings claimed(Engine& engine) {
  Strings tasks;
  for (const ClaimRow& claim : engine.claims()) tasks.push_back(claim.task);
  return tasks;
}

void damage(Engine& engine, std::int64_t position) {
  tables_of(engine).exec("UPDATE event SET payload = 'nonsense' WHERE position = " +
                         std::to_string(position));
}

TEST_CASE("claims know nothing of events in quarantine, in any engine", "[sqlite]") {
  const TempDir dir;
  const auto path = dir.file("graph.db");
  Engine engine = open(path);
  engine.append({node(kStart, "a"), node(kStart, "b"), node(kStart, "c")});
  engine.append({claim("a"), claim("b"), claim("c"), partial(kStart + 2 * kHour, "c")});
  engine.sync();
  Engine other = open(path);
  REQUIRE(claimed(other) == Strings{"a", "b"});

  damage(engine, 5);  // the claim of b
  damage(engine, 7);  // the outcome that ended the claim of c
  other.quarantine(std::vector<std::int64_t>{5, 7}, kStart + kDay);
  CHECK(claimed(other) == Strings{"a", "c"});
  CHECK(claimed(engine) == Strings{"a", "c"});
  CHECK(other.verify() == Strings{});
  Engine fresh = open(path);
  CHECK(claimed(fresh) == Strings{"a", "c"});
  fresh.rebuild();
  CHECK(claimed(fresh) == Strings{"a", "c"});
  CHECK(fresh.verify() == Strings{});
}

TEST_CASE("a request whose claim is damaged gets another one", "[sqlite]") {
  const TempDir dir;
  Engine engine = open(dir.file("graph.db"));
  engine.append({node(kStart, "a"), node(kStart, "b")});
  ClaimNext next;
  next.agent = "ann";
  next.now = kStart + kHour;
  next.request = "7";
  next.n = 2;
  REQUIRE(engine.claim_next(next).size() == 2);
  engine.sync();
  damage(engine, 3);
  engine.quarantine(std::vector<std::int64_t>{3}, kStart + kDay);
  const auto kept = engine.claim_next(next);
  REQUIRE(kept.size() == 1);
  CHECK(kept.front().claim.token == 4);

  // Damage that nobody has found yet.
  tables_of(engine).exec("UPDATE event SET kind = 'pivot' WHERE position = 4");
  const auto anew = engine.claim_next(next);
  REQUIRE(anew.size() == 1);
  CHECK(anew.front().claim.token == 6);
  CHECK(engine.claim_next(next).front().claim.token == 6);
}

TEST_CASE("what speaks of a node in quarantine can be undone, and is not there as of then",
          "[sqlite]") {
  const TempDir dir;
  Engine engine = open(dir.file("graph.db"));
  engine.append({node(kStart, "a"), node(kStart, "b"), link(kStart + 1, "a", "RELATES", "b"),
                 state(kStart + 2, "b", "CLOSED"), state(kStart + 3, "b", "OPEN"),
                 success(kStart + 4, "a", {"b"})});
  engine.sync();
  damage(engine, 2);
  engine.quarantine(std::vector<std::int64_t>{2}, kStart + kDay);
  CHECK(weight(state_as_of(engine, kStart + 5), {"a", "b", "RELATES"}) == 0);
  engine.undo(4, kStart + kDay);
  CHECK(engine.verify() == Strings{});

  // An export leaves the node out wherever it is named, so that each line can be imported.
  const std::string text = exported(engine);
  CHECK(text.find("\"b\"") == std::string::npos);
  Engine copy = open(":memory:");
  const auto imported = import_log(copy, text);
  CHECK(imported.refused == 0);
  CHECK(imported.applied == 2);
}

TEST_CASE("an undone quarantine leaves the event damaged again, until the next", "[sqlite]") {
  const TempDir dir;
  Engine engine = open(dir.file("graph.db"));
  engine.append({node(kStart, "a"), node(kStart, "b"), claim("a")});
  engine.sync();
  damage(engine, 3);
  const std::vector<std::int64_t> damaged{3};
  engine.quarantine(damaged, kStart + kDay);
  REQUIRE(engine.verify() == Strings{});
  REQUIRE(claimed(engine) == Strings{});

  engine.undo(engine.ledger().last_position(), kStart + 2 * kDay);
  const auto problems = engine.verify();
  REQUIRE_FALSE(problems.empty());
  CHECK_THAT(problems.front(), Catch::Contains("`hebb quarantine 3`"));
  CHECK_THROWS_AS(engine.rebuild(), DamagedLedger);
  engine.quarantine(damaged, kStart + 3 * kDay);
  CHECK(engine.verify() == Strings{});
  engine.rebuild();
  CHECK(engine.verify() == Strings{});
}

}  // namespace
}  // namespace hebb::test
