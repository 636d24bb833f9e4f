// What an engine says beside the order: what made a place, and what is known of what is gone.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/rank/explain.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

TEST_CASE("an explanation names the last five failures of sixty") {
  Engine engine = open(":memory:");
  engine.append(node(kStart, "t"));
  for (int i = 1; i <= 60; ++i) engine.append(failure(kStart + i * kDay, "t"));
  int told = 0;
  for (const FactorLine& line : explain(engine, "t", {}, kStart + 60 * kDay).lines) {
    if (line.name != "failure_penalty") continue;
    REQUIRE(line.grounds.size() == 1);
    CHECK(line.grounds[0].causes.size() == 5);
    CHECK(line.grounds[0].cause_count == 60);
    ++told;
  }
  CHECK(told == 1);
}

TEST_CASE("what gc removed can still be explained") {
  Engine engine = open(":memory:");
  engine.append({node(kStart, "a", "TASK", "CLOSED"), node(kStart, "b", "TASK", "CLOSED"),
                 link(kStart + 1, "a", "RELATES", "b")});
  REQUIRE(engine.gc(kStart + 200 * kDay, 90 * kDay, false).nodes.size() == 2);
  const EdgeName edge{"a", "b", "RELATES"};
  const auto then = explain(engine, edge, kStart + 2);
  CHECK(then.stored_weight == 1);
  CHECK(then.steps.size() == 1);
  CHECK(explain(engine, edge).steps.size() == 2);  // the gc as well
  CHECK(events_of_node(engine, "a", kStart).size() == 1);
}

TEST_CASE("a pinned task is said to be, and nothing is more than the first") {
  Engine engine = open(":memory:");
  Event pinned = node(kStart, "c");
  std::get<NodeUpsert>(pinned.payload).pinned = true;
  engine.append({node(kStart, "a"), pinned, failure(kStart + 1, "c")});
  const auto x = explain(engine, "c", {}, kStart + 1);
  CHECK(x.tier == "pinned");
  CHECK(x.rank == 1);
  CHECK(x.relative < 1);
  RankQuery query;
  query.reasons = true;
  const auto rows = engine.rank(query);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].id == "c");
  CHECK(rows[0].tier == "pinned");
  CHECK(rows[0].reasons.front() == "pinned");
  for (const RankRow& row : rows) CHECK(row.relative <= 1);
}

TEST_CASE("a sentence says why, also where nothing speaks against the task") {
  Engine engine = open(":memory:");
  for (const auto& [id, priority] : {std::pair{"a", 0}, {"b", 0}, {"c", 3}}) {
    Event e = node(kStart, id);
    std::get<NodeUpsert>(e.payload).priority = priority;
    engine.append(e);
  }
  engine.append(failure(kStart + kHour, "a"));
  const auto sentence = [&](const char* id) {
    return explain(engine, id, {}, kStart + kHour).sentence;
  };
  CHECK(sentence("a") == "2nd of 3, because it failed 1x, although it is P0");
  CHECK(sentence("b") == "First of 3, because it is P0");
  CHECK(sentence("c") == "3rd of 3, because it is P3");
  CHECK(explain(engine, "b", {}, kStart + kHour).tier == "P0 pressing");
  Event best = node(kStart, "d");
  std::get<NodeUpsert>(best.payload).pinned = true;
  engine.append({remove(kStart + kHour, "a"), best});
  CHECK(sentence("b") == "2nd of 3; it is P0");
}

TEST_CASE("what keeps a P0 from pressing is named") {
  Engine engine = open(":memory:");
  for (const auto& [id, priority] : {std::pair{"p0", 0}, {"p3", 3}}) {
    Event e = node(kStart, id);
    std::get<NodeUpsert>(e.payload).priority = priority;
    engine.append(e);
  }
  const auto at = [&](TimeMs now) { return explain(engine, "p0", {}, now); };
  CHECK(at(kStart + 14 * kDay).tier == "P0 pressing");
  for (int i = 0; i < 3; ++i) engine.append(node(kStart + 15 * kDay, "new-" + std::to_string(i)));
  CHECK(at(kStart + 15 * kDay).tier == "");
  CHECK(at(kStart + 15 * kDay).reasons.front() == "quiet for 15 d");
  engine.append(node(kStart + 16 * kDay, "p0"));
  engine.append(failure(kStart + 16 * kDay, "p0"));
  engine.append(link(kStart + 16 * kDay, "new-0", "CROSS_REFERENCES", "p0"));
  CHECK(at(kStart + 17 * kDay - 1).reasons.front() == "failed 1x");
  CHECK(at(kStart + 17 * kDay).tier == "P0 pressing");
}

TEST_CASE("words of a date say what raises the task") {
  Engine engine = open(":memory:");
  const auto dated = [&](const char* id, int priority, TimeMs due) {
    Event e = node(kStart, id);
    std::get<NodeUpsert>(e.payload).priority = priority;
    std::get<NodeUpsert>(e.payload).due_at = due;
    engine.append(e);
    return explain(engine, id, {}, kStart).reasons.front();
  };
  CHECK(dated("late", 3, kStart - 2 * kDay) == "late by 2 d");
  CHECK(dated("tight", 1, kStart + kDay / 2) == "P1, due in 12 h with no time to spare");
  CHECK(dated("far", 4, kStart + 300 * kDay) == "P4");
  CHECK(dated("soon", 0, kStart + 2 * kDay) == "P0, due in 2 d");
}

TEST_CASE("a task that cannot be done now is in no tier") {
  Engine engine = open(":memory:");
  Event asleep = node(kStart, "asleep");
  std::get<NodeUpsert>(asleep.payload).priority = 0;
  std::get<NodeUpsert>(asleep.payload).snoozed_until = kStart + kHour;
  engine.append(asleep);
  CHECK(explain(engine, "asleep", {}, kStart).tier == "");
  CHECK(explain(engine, "asleep", {}, kStart + kHour).tier == "P0 pressing");
}

TEST_CASE("tests of a run say how long they take, and what a change has to do with them") {
  Engine engine = open(":memory:");
  const auto timed = [](Event e, double ms) {
    std::get<OutcomeSignal>(e.payload).input =
        fmt::format(R"({{"metrics":{{"executionTimeMs":{}}}}})", ms);
    return e;
  };
  for (const char* id : {"a", "b", "c"}) engine.append(node(kStart, id, "TEST"));
  engine.append(
      {node(kStart, "src/b", "FILE", ""), link(kStart, "b", "FAILS_WITH", "src/b"),
       timed(failure(kStart + kHour, "a"), 3000), timed(success(kStart + kHour, "b"), 1000),
       timed(success(kStart + 2 * kHour, "b"), 2000), timed(success(kStart + kHour, "c"), 500)});
  RankQuery query;
  query.top = 100;
  query.reasons = true;
  query.selection.among = std::vector<std::string>{"a", "b", "c", "d"};
  query.selection.budget_seconds = 100;
  const auto all = engine.rank(query);
  REQUIRE(all.size() == 4);
  CHECK(all[0].seconds == 3.0);  // a
  CHECK(all[1].seconds == 1.5);  // d: the median of the others
  CHECK(all[2].seconds == 0.5);  // c, the shorter of those that passed
  CHECK(all[3].seconds == 1.5);  // b: the mean of its own
  query.selection = {};
  query.selection.among = std::vector<std::string>{"b", "c"};
  query.selection.changed = {"src/b"};
  const auto rows = engine.rank(query);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].reasons.front() == "src/b changed");
  CHECK(rows[0].factors.priority == Approx(2 * rows[1].factors.priority).epsilon(1e-2));
  CHECK(rows[0].change_proximity == Approx(2).epsilon(1e-2));
  CHECK(rows[1].change_proximity == 1);
}

}  // namespace
}  // namespace hebb::test
