// A ledger with a damaged row: the rest works, verify says whether ledger or mirror is damaged and
// what to do, a quarantine takes the event out for good, and a rebuild does not destroy a good
// copy.
#include <algorithm>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/engine/ledger_support.h"
#include "tests/sql/temp_dir.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

using Strings = std::vector<std::string>;

bool has(const Strings& lines, std::string_view text) {
  return std::any_of(lines.begin(), lines.end(),
                     [&](const std::string& line) { return line.find(text) != std::string::npos; });
}

// a (1), b (2), c (3), a RELATES b (4), a failed (5), b RELATES c (6)
std::vector<Event> six_events() {
  return {node(kStart, "a"),
          node(kStart, "b"),
          node(kStart, "c"),
          link(kStart + 1, "a", "RELATES", "b", 1),
          failure(kStart + kHour, "a"),
          link(kStart + 2 * kHour, "b", "RELATES", "c", 1)};
}

Engine open_telling(const std::string& path, Strings& told) {
  EngineOptions options;
  options.path = path;
  options.warning = [&told](const std::string& text) { told.push_back(text); };
  return Engine(options);
}

void damage(const std::string& path, const std::string& sql) {
  Engine engine = open(path);
  tables_of(engine).exec(sql);
}

void make(const std::string& path) {
  auto events = six_events();
  for (std::size_t i = 0; i < events.size(); ++i)
    events[i] = keyed(events[i], fmt::format("{}", i));
  Engine engine = open(path);
  engine.append(events);
  engine.sync();
  REQUIRE(engine.verify().empty());
}

TEST_CASE("an event that cannot be read is left out with a warning, and everything else works",
          "[sqlite]") {
  const TempDir dir;
  const std::string path = dir.file("a.db");
  make(path);
  const bool mirrored = GENERATE(true, false);
  CAPTURE(mirrored);
  damage(path, "UPDATE event SET payload = 'nonsense' WHERE position = 4");
  if (!mirrored) damage(path, "DELETE FROM edge; DELETE FROM mirror");
  Strings told;
  {
    Engine engine = open_telling(path, told);
    engine.append(node(kStart + kDay, "d"));
    engine.append(link(kStart - 1, "a", "RELATES", "c"));  // late: folds a's edge again
    engine.append(unlink(kStart + 2, "a", "RELATES", "b"));
    CHECK(engine.sync());
    CHECK(engine.rank({}).size() >= 3);
    engine.recalibrate(kStart + 2 * kDay);
    engine.undo(6, kStart + 2 * kDay);
    engine.gc(kStart + 2 * kDay, kDay, false);
    CHECK(state_as_of(engine, kStart).exists("a"));
    CHECK(stats_of(engine, kStart + 2 * kDay).nodes == 5);
    CHECK_THROWS_WITH(engine.undo(4, kStart), Catch::Contains("`hebb quarantine 4`"));
  }
  REQUIRE(told.size() == 1);  // once
  CHECK(has(told, "event 4 cannot be read and is left out"));

  Engine engine = open(path);
  const auto problems = engine.verify();
  CHECK(has(problems, "ledger: event 4 is not what was appended"));
  CHECK(has(problems, "`hebb quarantine 4`"));
  CHECK_FALSE(has(problems, "rebuild"));
  CHECK_THROWS_AS(engine.rebuild(), DamagedLedger);

  const auto why = engine.quarantine(std::vector<std::int64_t>{4}, kStart + 3 * kDay);
  CHECK_FALSE(why.front().empty());
  CHECK(engine.verify() == Strings{});
  engine.rebuild();
  CHECK(engine.verify() == Strings{});
  auto& db = tables_of(engine);
  CHECK(db.scalar("SELECT count(*) FROM event WHERE position = 4 AND payload = 'nonsense'") == 1);
  told.clear();
  Engine again = open_telling(path, told);
  CHECK(again.verify() == Strings{});
  CHECK(state_as_of(again, kStart + kHour).exists("a"));
  CHECK(told == Strings{});
}

TEST_CASE("after a quarantine the database is as if the event had never been there", "[sqlite]") {
  const TempDir dir;
  for (std::size_t i = 0; i < six_events().size(); ++i) {
    CAPTURE(i);
    const std::string path = dir.file(fmt::format("{}.db", i));
    make(path);
    const auto position = static_cast<std::int64_t>(i) + 1;
    // Readable, but another event than was appended: later than all, and of a node without a name.
    damage(path,
           fmt::format("UPDATE event SET at = 253402300799999 WHERE position = {}", position));
    Engine other = open(path);
    CHECK(other.state().exists("a"));
    {
      Engine engine = open(path);
      CHECK_THROWS_AS(engine.rebuild(), DamagedLedger);
      engine.quarantine(std::vector{position}, kStart + 3 * kHour);
      CHECK(engine.verify() == Strings{});
      CHECK(other.verify() == Strings{});
      CHECK(difference(dump(other.state()), dump(engine.state())) == "");
    }
    Engine engine = open(path);
    CHECK(difference(dump(engine.state()), dump(other.state())) == "");
    if (i < 3) {  // events that name the node count again once the node is made again
      const std::string id(1, static_cast<char>('a' + i));
      CHECK_FALSE(engine.state().exists(id));
      engine.append(keyed(node(kStart, id), fmt::format("again {}", i)));
      engine.sync();
      CHECK(weight(engine.state(), {"a", "b", "RELATES"}) == 1);
      CHECK(weight(engine.state(), {"b", "c", "RELATES"}) == 1);
      CHECK(other.verify() == Strings{});
      CHECK(difference(dump(engine.state()), dump(other.state())) == "");
    } else {
      Engine expected = open(":memory:");
      auto events = six_events();
      for (std::size_t k = 0; k < events.size(); ++k) {
        if (k != i) expected.append(keyed(events[k], fmt::format("{}", k)));
      }
      CHECK(weight(engine.state(), {"a", "b", "RELATES"}) ==
            weight(expected.state(), {"a", "b", "RELATES"}));
      CHECK(weight(engine.state(), {"b", "c", "RELATES"}) ==
            weight(expected.state(), {"b", "c", "RELATES"}));
      CHECK(weight(engine.state(), {"frontier", "a", "REWARD_NEGATIVE"}) ==
            weight(expected.state(), {"frontier", "a", "REWARD_NEGATIVE"}));
    }
  }
}

TEST_CASE("a whole event is not put into quarantine, and one that is not there neither",
          "[sqlite]") {
  const TempDir dir;
  make(dir.file("a.db"));
  Engine engine = open(dir.file("a.db"));
  const auto quarantine = [&](std::vector<std::int64_t> positions) {
    engine.quarantine(positions, kStart);
  };
  CHECK_THROWS_WITH(quarantine({4}), Catch::Contains("`hebb undo 4`"));
  CHECK_THROWS_WITH(quarantine({99}), Catch::Contains("there is no event 99"));
  tables_of(engine).exec("UPDATE event SET subject = 'x' WHERE position = 2");
  CHECK_THROWS_WITH(quarantine({2, 4}), Catch::Contains("event 4"));
  CHECK(engine.ledger().last_position() == 6);  // all or none
  quarantine({2});
  CHECK_THROWS_WITH(quarantine({2}), Catch::Contains("already"));
  CHECK(engine.verify() == Strings{});
  CHECK_THROWS_AS(engine.append(Event{0, kStart, "ledger", "", Undo{4, "forged"}}), Refused);
}

TEST_CASE("a changed row is the ledger's damage; the mirror keeps what it said", "[sqlite]") {
  const TempDir dir;
  const std::string path = dir.file("a.db");
  make(path);
  Engine engine = open(path);
  const std::string before = dump_mirror(engine);
  tables_of(engine).exec(
      "UPDATE event SET payload = replace(payload, '\"weight\":1', '\"weight\":3') "
      "WHERE position = 4");
  const auto problems = engine.verify();
  REQUIRE(problems.size() == 2);
  CHECK(has(problems, "ledger: event 4 is not what was appended; restore a backup"));
  CHECK(has(problems, "tables: not compared"));
  CHECK_FALSE(has(problems, "rebuild"));
  CHECK_THROWS_AS(engine.rebuild(), DamagedLedger);
  CHECK(difference(dump_mirror(engine), before) == "");
}

TEST_CASE("a checksum that is damaged alone is told from its row, and mended", "[sqlite]") {
  const TempDir dir;
  make(dir.file("a.db"));
  Engine engine = open(dir.file("a.db"));
  tables_of(engine).exec("UPDATE event SET checksum = checksum + 1 WHERE position = 3");
  const auto problems = engine.verify();
  REQUIRE(problems.size() == 1);
  CHECK(has(problems, "the checksum of event 3 is damaged, the event itself is whole"));
  CHECK_THROWS_WITH(engine.quarantine(std::vector<std::int64_t>{3}, kStart),
                    Catch::Contains("whole"));
  CHECK_THROWS_WITH(engine.quarantine(std::vector<std::int64_t>{4}, kStart),
                    Catch::Contains("whole"));
  engine.rebuild();
  CHECK(engine.verify() == Strings{});
}

TEST_CASE("rows that are gone, or in another order, are noticed", "[sqlite]") {
  const TempDir dir;
  make(dir.file("a.db"));
  Engine engine = open(dir.file("a.db"));
  auto& db = tables_of(engine);
  SECTION("one in the middle") {
    db.exec("DELETE FROM event WHERE position = 3");
    CHECK(has(engine.verify(), "ledger: event 3 is missing"));
    CHECK_THROWS_AS(engine.rebuild(), DamagedLedger);
    engine.quarantine(std::vector<std::int64_t>{3}, kStart);
    CHECK(engine.verify() == Strings{});
    engine.rebuild();
    CHECK(engine.verify() == Strings{});
  }
  SECTION("several") {
    db.exec("DELETE FROM event WHERE position IN (2, 3)");
    CHECK(has(engine.verify(), "ledger: events 2 to 3 are missing"));
  }
  SECTION("the last") {
    db.exec("DELETE FROM event WHERE position = 6");
    CHECK(has(engine.verify(), "its end is lost, then restore a backup"));
  }
  SECTION("two changed places") {
    db.exec(
        "UPDATE event SET position = -5 WHERE position = 5; UPDATE event SET position = 5 WHERE "
        "position = 6; UPDATE event SET position = 6 WHERE position = -5");
    CHECK(has(engine.verify(), "ledger: event 5 is not what was appended"));
  }
}

TEST_CASE("events that are missing side by side are put into quarantine, in any order",
          "[sqlite]") {
  const TempDir dir;
  const std::string path = dir.file("a.db");
  make(path);
  damage(path, "DELETE FROM event WHERE position IN (3, 4, 5)");
  Engine engine = open(path);
  CHECK(has(engine.verify(), "events 3 to 5 are missing"));
  const auto order =
      GENERATE(std::vector<std::int64_t>{3, 4, 5}, std::vector<std::int64_t>{5, 3, 4});
  for (const std::int64_t position : order)
    CHECK(engine.quarantine({&position, 1}, kStart + kDay) == Strings{"it is missing"});
  engine.rebuild();
  CHECK(engine.verify() == Strings{});
}

TEST_CASE("an event is put into quarantine though the mirror is damaged as well", "[sqlite]") {
  const TempDir dir;
  const std::string path = dir.file("a.db");
  make(path);
  {
    Engine engine = open(path);
    engine.append(node(kStart + kDay, "d", "TASK", "OPEN", {1, 0}));
    engine.sync();
  }
  damage(path,
         "UPDATE event SET payload = payload || ' ' WHERE position = 5;"
         "UPDATE node_vector SET vector = x'ff00'");
  Engine engine = open(path);
  CHECK_THROWS_AS(engine.rebuild(), DamagedLedger);
  const std::int64_t damaged = 5;
  CHECK(engine.quarantine({&damaged, 1}, kStart + kDay).size() == 1);
  engine.rebuild();
  CHECK(engine.verify() == Strings{});
}

TEST_CASE("a rebuild keeps what only the mirror knows of a ledger whose end is lost, unless forced",
          "[sqlite]") {
  const TempDir dir;
  const std::string path = dir.file("a.db");
  make(path);
  {
    Engine engine = open(path);
    ClaimNext next;
    next.agent = "x";
    next.now = kStart + 3 * kHour;
    next.lease_ms = kDay;
    engine.claim_next(next);
    engine.sync();
  }
  const int left = GENERATE(6, 4);  // without the claim, and without two events more
  damage(path, fmt::format("DELETE FROM event WHERE position > {}", left));
  Engine engine = open(path);
  const std::string before = dump_mirror(engine);
  CHECK(has(engine.verify(), "its end is lost"));
  CHECK_THROWS_WITH(engine.rebuild(), Catch::Contains("`hebb rebuild --force`"));
  CHECK(difference(dump_mirror(engine), before) == "");
  engine.rebuild(true);
  CHECK(engine.verify() == Strings{});
  CHECK(storage_of(engine).mirror().position() == left);
}

TEST_CASE("where the ledger's end is lost and another event too, both can be given up",
          "[sqlite]") {
  const TempDir dir;
  make(dir.file("a.db"));
  damage(dir.file("a.db"),
         "DELETE FROM event WHERE position IN (2, 6); "
         "UPDATE event SET checksum = checksum + 1 WHERE position = 4");
  Engine engine = open(dir.file("a.db"));
  const std::vector<std::int64_t> second{2};
  CHECK_THROWS_AS(engine.quarantine(second, kStart), sql::Error);
  CHECK_THROWS_AS(engine.rebuild(), DamagedLedger);
  engine.rebuild(true);
  CHECK(has(engine.verify(), "ledger: event 2 is missing"));
  engine.quarantine(second, kStart);
  CHECK(engine.verify() == Strings{});
}

TEST_CASE("a policy or a vector that only the fold cannot take is named as well", "[sqlite]") {
  const TempDir dir;
  Strings told;
  Engine engine = open_telling(dir.file("a.db"), told);
  engine.append({node(kStart, "a", "TASK", "OPEN", {1, 2}),
                 node(kStart, "b", "TASK", "OPEN", {3, 4}), policy(kStart, {{"prior", "0.7"}})});
  engine.sync();
  tables_of(engine).exec(
      "UPDATE event SET vector = zeroblob(12) WHERE position = 2; UPDATE event SET payload = "
      "replace(payload, '0.7', 'x.7') WHERE position = 3; DELETE FROM mirror");
  {
    Engine again = open_telling(dir.file("a.db"), told);
    CHECK(again.state().exists("a"));
    CHECK_FALSE(again.state().exists("b"));
    CHECK(told.size() == 2);
    again.quarantine(std::vector<std::int64_t>{2, 3}, kStart);
    CHECK(again.verify() == Strings{});
  }
}

TEST_CASE("a rebuild leaves nothing that is not of the fold: edge types, marks", "[sqlite]") {
  const TempDir dir;
  Engine engine = open(dir.file("a.db"));
  engine.append({node(kStart, "a"), node(kStart, "b")});
  engine.append(link(kStart + 1, "a", "FOO", "b"));
  engine.append(policy(kStart + 2, {{"type.FOO.cap", "2"}}));
  engine.sync();
  engine.undo(3, kStart + 3);
  engine.undo(4, kStart + 4);
  CHECK(engine.verify() == Strings{});
  auto& db = tables_of(engine);
  db.exec("INSERT INTO edge_type VALUES (99, 'BAR', 1, 0, 0, 1, 1, NULL, 0, 0, 0)");
  db.exec("INSERT INTO mirror VALUES ('other', 1)");
  CHECK_FALSE(engine.verify().empty());
  engine.rebuild();
  CHECK(engine.verify() == Strings{});
  CHECK(db.scalar("SELECT count(*) FROM edge_type WHERE name IN ('FOO', 'BAR')") == 0);
  CHECK(db.scalar("SELECT count(*) FROM mirror WHERE name = 'other'") == 0);
}

TEST_CASE("views, indexes and triggers that are missing or changed are found and made again",
          "[sqlite]") {
  const TempDir dir;
  make(dir.file("a.db"));
  Engine engine = open(dir.file("a.db"));
  auto& db = tables_of(engine);
  for (const char* sql :
       {"DROP VIEW golden_path", "DROP INDEX event_subject", "DROP TRIGGER node_search_insert",
        "DROP VIEW outcome; CREATE VIEW outcome AS SELECT 1 AS task"}) {
    CAPTURE(sql);
    db.exec(sql);
    const auto problems = engine.verify();
    REQUIRE(problems.size() == 1);
    CHECK(has(problems, "schema: "));
    CHECK(has(problems, "`hebb rebuild` mends it"));
    engine.rebuild();
    CHECK(engine.verify() == Strings{});
  }
  db.exec("CREATE VIEW of_somebody_else AS SELECT 1 AS one");
  CHECK(engine.verify() == Strings{});
  db.exec("DROP TABLE node_vector");
  CHECK(has(engine.verify(), "schema: the table node_vector is missing; restore a backup"));
}

TEST_CASE("verify raises no alarm where another process writes, and nothing was mirrored yet",
          "[sqlite]") {
  TwoConnections two;
  const sql::Transaction lock(two.other);
  CHECK(two.engine.verify() == Strings{});
  EngineOptions options = two.options();
  options.read_only = true;
  CHECK(Engine(options).verify() == Strings{});
}

TEST_CASE("one damaged payload takes no other outcome from the view", "[sqlite]") {
  const TempDir dir;
  make(dir.file("a.db"));
  Engine engine = open(dir.file("a.db"));
  engine.append(failure(kStart + kDay, "b"));
  tables_of(engine).exec("UPDATE event SET payload = 'x' WHERE position = 5");
  CHECK(tables_of(engine).scalar("SELECT count(task) FROM outcome") == 1);
}

}  // namespace
}  // namespace hebb::test
