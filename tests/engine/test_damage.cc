// A ledger with a damaged row: whatever reads it stops and says what to do, verify says whether
// ledger or mirror is damaged, an export without it can be imported, and a rebuild does not destroy
// a good copy.
#include <algorithm>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/engine/ledger_support.h"
#include "tests/support/folder.h"
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

// A log of the rest; what is left out is named in `damage`.
std::string salvaged(Engine& engine, Strings& damage) {
  std::string log;
  damage = export_log(
      engine, [&](std::string_view line) { log += line; }, true);
  return log;
}

std::string lost_node(std::string_view id, int left_out, int changed) {
  return fmt::format(
      "the node \"{}\", which no undamaged event made; of the events that name it, {} left out and "
      "{} written without it",
      id, left_out, changed);
}

TEST_CASE("an event that cannot be read stops what reads it, by its number", "[sqlite]") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  make(path);
  damage(path, "UPDATE event SET payload = 'nonsense' WHERE position = 4");
  Engine engine = open(path);
  const auto names_it = Catch::Contains("event 4 is damaged: its payload: ");
  CHECK_THROWS_WITH(engine.state(), names_it);
  CHECK_THROWS_WITH(engine.rank({}), names_it);
  CHECK_THROWS_WITH(engine.append(node(kStart + kDay, "d")), names_it);
  CHECK_THROWS_WITH(engine.undo(6, kStart + kDay), names_it);
  CHECK_THROWS_WITH(state_as_of(engine, kStart + kDay), names_it);
  CHECK_THROWS_WITH(exported(engine), names_it);
  CHECK(engine.ledger().last_position() == 6);
  CHECK(state_as_of(engine, kStart).exists("a"));  // that is before it

  const auto problems = engine.verify();
  REQUIRE(problems.size() == 2);
  CHECK(has(problems, "ledger: event 4 is not what was appended: its payload: "));
  CHECK(has(problems, "`hebb export --salvage`"));
  CHECK(has(problems, "tables: not compared"));
  CHECK_THROWS_AS(engine.rebuild(), DamagedLedger);
  CHECK_THROWS_AS(engine.rebuild(true), DamagedLedger);
}

TEST_CASE("what is salvaged is all but the damaged event and what only it had made", "[sqlite]") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  make(path);
  const auto [sql, what, lost, count] = GENERATE(table<std::string, std::string, std::string, int>({
      {"UPDATE event SET payload = 'nonsense' WHERE position = 4",
       "event 4 is not what was appended: its payload: ", "", 5},
      {"UPDATE event SET at = at + 1 WHERE position = 5", "event 5 is not what was appended", "",
       5},
      {"DELETE FROM event WHERE position > 4",
       "2 events at the end of the ledger: the current tables have taken in event 6, and the "
       "ledger ends with 4: ",
       "", 4},
      {"DELETE FROM event WHERE position IN (4, 5)", "events 4 to 5 are missing", "", 4},
      {"DELETE FROM event WHERE position = 3", "event 3 is missing", lost_node("c", 1, 0), 4},
      {"UPDATE event SET subject = 'x' WHERE position = 2", "event 2 is not what was appended",
       lost_node("b", 2, 0), 3},
      {"UPDATE event SET checksum = checksum + 1 WHERE position = 3", "", "", 6},
  }));
  CAPTURE(sql);
  damage(path, sql);
  Engine engine = open(path);
  Strings damage;
  const std::string log = salvaged(engine, damage);
  if (what.empty()) {
    CHECK(damage == Strings{});
  } else {
    REQUIRE(damage.size() == (lost.empty() ? 1 : 2));
    CHECK_THAT(damage.front(), Catch::StartsWith(what));
    if (!lost.empty()) CHECK(damage.back() == lost);
  }
  Engine copy = open(":memory:");
  const auto imported = import_log(copy, log);
  CHECK(imported.refused == 0);
  CHECK(imported.applied == count);
  CHECK(copy.verify() == Strings{});
}

TEST_CASE("an undo that is damaged undoes nothing in what is salvaged", "[sqlite]") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  make(path);
  open(path).undo(5, kStart + kDay);
  Engine engine = open(path);
  Strings damage;
  CHECK(salvaged(engine, damage).find("failure") == std::string::npos);
  tables_of(engine).exec("UPDATE event SET at = at + 1 WHERE position = 7");
  CHECK(salvaged(engine, damage).find("failure") != std::string::npos);
  CHECK(damage == Strings{"event 7 is not what was appended; what it had undone counts again"});
}

TEST_CASE("what is salvaged of an event that names several nodes is the event without those lost",
          "[sqlite]") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  make(path);
  {
    Engine engine = open(path);
    Event e = success(kStart + kDay, "a");
    std::get<OutcomeSignal>(e.payload).contexts = {"b", "c"};
    sql::Transaction transaction(tables_of(engine));
    REQUIRE(storage_of(engine).ledger().append(e));
    transaction.commit();
  }
  damage(path, "UPDATE event SET payload = '{' WHERE position = 3");
  Engine engine = open(path);
  Strings damage;
  const std::string log = salvaged(engine, damage);
  REQUIRE(damage.size() == 2);
  CHECK(damage.back() == lost_node("c", 1, 1));
  Engine copy = open(":memory:");
  CHECK(import_log(copy, log).applied == 5);
}

// As hebb before 0.4 did with an event that it could not read.
TEST_CASE("what an older hebb has set aside stays left out", "[sqlite]") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  make(path);
  {
    Engine engine = open(path);
    Event aside{0, kStart + kDay, "ledger", "", Undo{4, "its payload: nonsense"}};
    CHECK_THROWS_AS(engine.append(aside), Refused);  // nobody makes such a one any more
    sql::Transaction transaction(tables_of(engine));
    REQUIRE(storage_of(engine).ledger().append(aside));
    transaction.commit();
  }
  damage(path, "UPDATE event SET payload = 'nonsense' WHERE position = 4");
  Engine engine = open(path);
  CHECK(weight(engine.state(), {"a", "b", "RELATES"}) == 0);
  CHECK(weight(engine.state(), {"b", "c", "RELATES"}) == 1);
  CHECK(engine.verify() == Strings{});
  engine.rebuild();
  CHECK(engine.verify() == Strings{});
  CHECK(exported(engine).find("\"b\"") != std::string::npos);
}

TEST_CASE("what an older hebb has set aside stays left out, with the edges of its node",
          "[sqlite]") {
  const Folder dir;
  const std::string path = dir.file("a.db");
  make(path);
  {
    Engine engine = open(path);
    Event aside{0, kStart + kDay, "ledger", "", Undo{2, "its payload: nonsense"}};
    sql::Transaction transaction(tables_of(engine));
    REQUIRE(storage_of(engine).ledger().append(aside));
    transaction.commit();
  }
  damage(path, "UPDATE event SET payload = '{' WHERE position = 2");
  damage(path, "DELETE FROM mirror");  // its tables are of another version
  Engine engine = open(path);
  CHECK(engine.rank({}).size() == 2);
  engine.append(failure(kStart + kDay, "c"));
  engine.sync();
  CHECK(engine.verify() == Strings{});
  CHECK(tables_of(engine).scalar("SELECT count(*) FROM edge AS e JOIN node AS n ON "
                                 "n.key IN (e.source, e.target) WHERE n.id = 'b'") == 0);
  engine.rebuild();
  CHECK(engine.verify() == Strings{});
  Strings damage;
  CHECK(salvaged(engine, damage) == exported(engine));
  CHECK(damage == Strings{});
  engine.append(node(kStart + 2 * kDay, "b"));  // its edges are there again
  engine.sync();
  CHECK(engine.verify() == Strings{});
  CHECK(tables_of(engine).scalar("SELECT count(*) FROM edge AS e JOIN node AS n ON "
                                 "n.key IN (e.source, e.target) WHERE n.id = 'b'") == 2);
  CHECK(open(path).rank({}).size() == 3);
}

TEST_CASE("a changed row is the ledger's damage; the mirror keeps what it said", "[sqlite]") {
  const Folder dir;
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
  const Folder dir;
  make(dir.file("a.db"));
  Engine engine = open(dir.file("a.db"));
  tables_of(engine).exec("UPDATE event SET checksum = checksum + 1 WHERE position = 3");
  const auto problems = engine.verify();
  REQUIRE(problems.size() == 1);
  CHECK(problems.front() ==
        "ledger: the checksum of event 3 is damaged, the event itself is whole; `hebb rebuild` "
        "mends it");
  const auto last = engine.ledger().checksum_at(6);
  engine.rebuild();
  CHECK(engine.verify() == Strings{});
  CHECK(engine.ledger().checksum_at(6) == last);
  CHECK(engine.rank({}).size() == 3);
}

TEST_CASE("an event at the last position that there can be is checked as others are", "[sqlite]") {
  const Folder dir;
  make(dir.file("a.db"));
  Engine engine = open(dir.file("a.db"));
  tables_of(engine).exec("UPDATE event SET position = 9223372036854775807 WHERE position = 6");
  CHECK(has(engine.verify(), "ledger: events 6 to 9223372036854775806 are missing"));
}

TEST_CASE("rows that are gone, or in another order, are noticed", "[sqlite]") {
  const Folder dir;
  make(dir.file("a.db"));
  Engine engine = open(dir.file("a.db"));
  auto& db = tables_of(engine);
  SECTION("one in the middle") {
    db.exec("DELETE FROM event WHERE position = 3");
    CHECK(has(engine.verify(), "ledger: event 3 is missing"));
    CHECK_THROWS_AS(engine.rebuild(), DamagedLedger);
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

TEST_CASE("a rebuild keeps what only the mirror knows of a ledger whose end is lost, unless forced",
          "[sqlite]") {
  const Folder dir;
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

TEST_CASE("a policy or a vector that only the fold cannot take is named as well", "[sqlite]") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  engine.append({node(kStart, "a", "TASK", "OPEN", {1, 2}),
                 node(kStart, "b", "TASK", "OPEN", {3, 4}), policy(kStart, {{"prior", "0.7"}})});
  engine.sync();
  tables_of(engine).exec("DELETE FROM mirror");
  SECTION("a vector of another length") {
    tables_of(engine).exec("UPDATE event SET vector = zeroblob(12) WHERE position = 2");
    CHECK_THROWS_WITH(open(dir.file("a.db")).state(), Catch::Contains("event 2 is damaged: "));
  }
  SECTION("a setting that is none") {
    tables_of(engine).exec(
        "UPDATE event SET payload = replace(payload, '0.7', 'x.7') WHERE position = 3");
    CHECK_THROWS_WITH(open(dir.file("a.db")).state(), Catch::Contains("event 3 is damaged: "));
  }
}

TEST_CASE("a rebuild leaves nothing that is not of the fold: edge types, marks", "[sqlite]") {
  const Folder dir;
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
  const Folder dir;
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
  db.exec("DROP TABLE dead_letter");
  db.exec("DROP INDEX node_open");
  CHECK(has(engine.verify(), "schema: the table dead_letter is missing; restore a backup"));
  CHECK_FALSE(has(engine.verify(), "rebuild"));
  CHECK_THROWS_WITH(engine.rebuild(),
                    Catch::Contains("the table dead_letter is missing; restore a backup"));
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
  const Folder dir;
  make(dir.file("a.db"));
  Engine engine = open(dir.file("a.db"));
  engine.append(failure(kStart + kDay, "b"));
  tables_of(engine).exec("UPDATE event SET payload = 'x' WHERE position = 5");
  CHECK(tables_of(engine).scalar("SELECT count(task) FROM outcome") == 1);
}

}  // namespace
}  // namespace hebb::test
