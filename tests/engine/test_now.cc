// A ranking is as of now: what time alone changes waits for nobody.
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/checks.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

using Ids = std::vector<std::string>;

Event said(TimeMs at, std::string id, std::optional<std::int64_t> priority, TimeMs due = 0,
           TimeMs snoozed = 0) {
  Event e = node(at, std::move(id));
  auto& upsert = std::get<NodeUpsert>(e.payload);
  upsert.priority = priority;
  if (due != 0) upsert.due_at = due;
  if (snoozed != 0) upsert.snoozed_until = snoozed;
  return e;
}

// Two tasks of which one is snoozed for an hour.
Engine two_tasks() {
  Engine engine = open(":memory:");
  engine.append(said(kStart, "asleep", 1, 0, kStart + kHour));
  engine.append(said(kStart, "awake", 3));
  return engine;
}

Ids claimed_at(Engine& engine, TimeMs now) {
  ClaimNext next;
  next.agent = "ann";
  next.now = now;
  next.n = 2;
  Ids ids;
  for (const ClaimedTask& task : engine.claim_next(next)) ids.push_back(task.row.id);
  return ids;
}

TEST_CASE("what was snoozed comes back when its time is over") {
  Engine engine = two_tasks();
  CHECK(ranking(engine, kStart + kHour - 1) == Ids{"awake"});
  CHECK(ranking(engine, kStart + kHour) == Ids{"asleep", "awake"});
  CHECK(ranking(engine, kStart + kHour - 1) == Ids{"awake"});
}

TEST_CASE("what comes back is as if something had happened to it") {
  Engine engine = open(":memory:");
  engine.append(said(kStart, "asleep", 0, 0, kStart + 30 * kDay));
  engine.append(said(kStart, "waits", 0));
  engine.append(said(kStart, "new", 1));
  engine.append(link(kStart, "new", "BLOCKS", "waits"));
  RankQuery query;
  const auto first_at = [&](TimeMs now) {
    query.now = now;
    return engine.rank(query).front();
  };
  CHECK(first_at(kStart).tier == "P0 pressing");
  CHECK(first_at(kStart + 30 * kDay - 1).tier == "");  // two weeks nobody touched what waits
  CHECK(first_at(kStart + 30 * kDay).id == "asleep");
  CHECK(first_at(kStart + 30 * kDay).tier == "P0 pressing");
  CHECK(check_ranking(engine, kStart + 30 * kDay) == "");
  engine.append(said(kStart + 30 * kDay, "waits", 0, 0, kStart + 31 * kDay));
  engine.append(said(kStart + 30 * kDay, "asleep", 4));
  CHECK(first_at(kStart + 31 * kDay).id == "new");
  CHECK(first_at(kStart + 31 * kDay).tier == "P0 pressing");
  CHECK(check_ranking(engine, kStart + 31 * kDay) == "");
  CHECK(check_naive(engine, naive_of(engine), kStart + 31 * kDay) == "");
}

TEST_CASE("a P0 that waited for long presses once it can be done") {
  Engine engine = open(":memory:");
  engine.append(said(kStart, "p0", 0));
  engine.append(said(kStart, "before", 2));
  engine.append(said(kStart, "other", 1));
  engine.append(link(kStart, "before", "BLOCKS", "p0"));
  RankQuery query;
  query.now = kStart + 20 * kDay;
  CHECK(engine.rank(query).front().tier == "");
  engine.append(success(kStart + 20 * kDay, "before"));
  CHECK(engine.rank(query).front().id == "p0");
  CHECK(check_ranking(engine, *query.now) == "");
  CHECK(check_naive(engine, naive_of(engine), *query.now) == "");
  query.now = kStart + 34 * kDay + 1;
  CHECK(engine.rank(query).front().tier == "");
}

TEST_CASE("neither a success nor a change of direction is a failure") {
  Engine engine = open(":memory:");
  for (const char* id : {"a", "b", "elsewhere"}) engine.append(said(kStart, id, 0));
  for (const char* id : {"a", "b"}) engine.append(failure(kStart + kDay, id));
  engine.append(pivot(kStart + 5 * kDay, "elsewhere"));
  engine.append(success(kStart + 5 * kDay, "a"));
  engine.append(state(kStart + 5 * kDay, "a", "OPEN"));
  RankQuery query;
  query.now = kStart + 5 * kDay;
  for (const RankRow& row : engine.rank(query)) {
    CAPTURE(row.id);
    CHECK(row.tier == "P0 pressing");
    CHECK(row.factors.failure_penalty > 0.85);
  }
  CHECK(check_naive(engine, naive_of(engine), *query.now) == "");
}

TEST_CASE("what is open again is not what was completed last") {
  Engine engine = open(":memory:");
  engine.append(policy(kStart, {{"close_on_success", "false"}}));
  for (const char* id : {"again", "other", "done"}) engine.append(said(kStart, id, 2));
  engine.append(success(kStart + 1, "done"));
  engine.append(state(kStart + 1, "done", "CLOSED"));
  engine.append(success(kStart + 2, "again"));
  auto& s = const_cast<State&>(engine.state());  // an engine keeps the ranking of its state
  const auto times = s.facts().times(kStart + 2);
  CHECK(s.ranking(times).completed() == std::vector{*s.graph().find_node("done")});
  CHECK(check_ranking(engine, kStart + 2) == "");
  engine.append(state(kStart + 3, "again", "CLOSED"));
  CHECK(s.ranking(times).completed().front() == *s.graph().find_node("again"));
  CHECK(check_ranking(engine, kStart + 3) == "");
  CHECK(check_naive(engine, naive_of(engine), kStart + 3) == "");
}

TEST_CASE("a claim is of the ranking as of now") {
  Engine engine = two_tasks();
  SECTION("before") { CHECK(claimed_at(engine, kStart + kHour - 1) == Ids{"awake"}); }
  SECTION("after") { CHECK(claimed_at(engine, kStart + kHour) == Ids{"asleep", "awake"}); }
}

TEST_CASE("a date that passes presses, also by what waits for it") {
  Engine engine = open(":memory:");
  for (const char* id : {"first", "second", "other"}) engine.append(said(kStart, id, 2));
  engine.append(said(kStart, "urgent", 1));
  engine.append(said(kStart, "late", 3, kStart + 10 * kDay));
  engine.append(link(kStart, "second", "BLOCKS", "urgent"));
  engine.append(link(kStart, "second", "BLOCKS", "late"));
  engine.append(failure(kStart + 1, "other"));
  RankQuery query;
  query.now = kStart + kDay;
  CHECK(engine.rank(query).front().tier.empty());
  query.now = kStart + 9 * kDay;  // the two take a day each
  CHECK(engine.rank(query).front().id == "second");
  CHECK(engine.rank(query).front().tier == "pressing");
  query.now = kStart + kDay;
  CHECK(engine.rank(query).front().tier.empty());
}

TEST_CASE("a ranking that time has moved is the one that is made anew") {
  Engine engine = open(":memory:");
  engine.append(node(kStart, "label", "LABEL", ""));
  for (int i = 0; i < 8; ++i) {
    const std::string id = "task-" + std::to_string(i);
    engine.append(said(kStart + i * kMinute, id, i % 5, kStart + i * kDay, kStart + i * kHour));
    if (i % 2 == 0) engine.append(link(kStart + i * kMinute, id, "LABELED_AS", "label"));
    if (i > 0) engine.append(link(kStart, "task-" + std::to_string(i / 2), "BLOCKS", id));
  }
  engine.append(said(kStart, "whole", 2, 0, kStart + 5 * kHour));
  engine.append(said(kStart, "part", 2));
  engine.append(link(kStart, "whole", "PARENT_OF", "part"));
  engine.append(failure(kStart + kHour, "task-1"));
  engine.append(failure(kStart + 2 * kHour, "task-4"));
  engine.append(success(kStart + 2 * kHour, "task-0", {"task-1", "part"}));
  for (const TimeMs at : {2 * kHour, 2 * kHour + kMinute, 5 * kHour, 6 * kHour, 3 * kHour, kDay,
                          9 * kDay, kHour, kMinute, 40 * kDay, 9 * kDay}) {
    CAPTURE(at);
    CHECK(check_ranking(engine, kStart + at) == "");
    if (at == kDay) engine.append(failure(kStart + kDay, "part"));
  }
  CHECK(check_naive(engine, naive_of(engine), kStart + 3 * kDay) == "");
}

TEST_CASE("reasons are as of now") {
  Engine engine = two_tasks();
  for (int i = 0; i < 9; ++i)
    engine.append(node(kStart + 50 * kMinute, "later-" + std::to_string(i)));
  const auto reasons_at = [](Engine& of, TimeMs now) {
    RankQuery query;
    query.top = 20;
    query.now = now;
    query.reasons = true;
    std::string text;
    for (const RankRow& row : of.rank(query))
      for (const std::string& reason : row.reasons) text += row.id + " " + reason + "\n";
    return text;
  };
  const std::string log = exported(engine);
  for (const TimeMs now : {kStart + kHour, kStart + 3 * kDay, kStart + 2 * kHour}) {
    Engine anew = open(":memory:");
    import_log(anew, log);
    CHECK(reasons_at(engine, now) == reasons_at(anew, now));
  }
}

TEST_CASE("a ranking holds for a minute, or until something comes back") {
  Engine engine = two_tasks();
  const State& s = engine.state();
  const TimeMs now = kStart + 3 * kMinute;
  CHECK(s.rank_time(now) == now);  // none is kept yet
  ranking(engine, now);
  CHECK(s.rank_time(now + kMinute - 1) == now);
  CHECK(s.rank_time(now + kMinute) == now + kMinute);
  CHECK(s.rank_time(now - 1) == now - 1);
  ranking(engine, kStart + kHour - 10);
  CHECK(s.rank_time(kStart + kHour - 1) == kStart + kHour - 10);
  CHECK(s.rank_time(kStart + kHour) == kStart + kHour);
  CHECK(holds_until(s, kStart + kHour - 10) == kStart + kHour);
}

}  // namespace
}  // namespace hebb::test
