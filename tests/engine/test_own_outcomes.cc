// A task's own outcomes are evidence about it; what a success closes; what is activity; what wakes.
#include <algorithm>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/rank/explain.h"
#include "engine/rank/reasons.h"
#include "tests/sql/temp_dir.h"
#include "tests/support/history.h"
#include "tests/support/ranking.h"

namespace hebb::test {
namespace {

reward::Factors factors_of(Engine& engine, const std::string& id, TimeMs now) {
  const auto view = engine.state().view();
  return reward::factors(view, engine.state().find(id).value(), now);
}

// "strong" has ten times the base of "rival", by links that never fade.
Engine strong_and_rival() {
  Engine engine = open(":memory:");
  engine.append(
      {node(kStart, "strong"), node(kStart, "rival"), node(kStart, "change", "NOTE", "")});
  engine.append(link(kStart, "change", "IMPLEMENTS", "strong", 4.5));
  return engine;
}

TEST_CASE(
    "a task that keeps failing sinks below a rival of a tenth of its base, whatever the days "
    "between") {
  const auto days = GENERATE(1, 3, 7, 30);
  CAPTURE(days);
  Engine engine = strong_and_rival();
  TimeMs now = kStart;
  REQUIRE(factors_of(engine, "strong", now).base == Approx(5));
  REQUIRE(factors_of(engine, "rival", now).base == Approx(0.5));
  REQUIRE(top(engine, 1, now).front() == "strong");
  for (int i = 0; i < 60; ++i) engine.append(failure(now += days * kDay, "strong"));
  CHECK(top(engine, 1, now).front() == "rival");
  // And the day before the next failure.
  CHECK(top(engine, 1, now + (days - 1) * kDay).front() == (days == 30 ? "strong" : "rival"));
}

TEST_CASE("the reason for a task's place says how often it failed, and when it did last") {
  const TempDir dir;
  const std::string path = dir.file("a.db");
  Engine engine = open(path);
  engine.append({node(kStart, "t"), node(kStart, "u")});
  const auto reasons = [&](const std::string& id, TimeMs now) {
    RankQuery query;
    query.top = 10;
    query.now = now;
    std::string all;
    query.reasons = true;
    for (const PathRow& row : engine.rank(query)) {
      if (row.id == id) all = fmt::format("{}", fmt::join(row.reasons, "; "));
    }
    return all;
  };
  const auto has = [](const std::string& all, const std::string& one) {
    CAPTURE(all);
    CHECK(all.find(one) != std::string::npos);
  };
  TimeMs now = kStart;
  engine.append(keyed(failure(now += kDay, "t"), "first"));
  has(reasons("t", now), "failed 1x");
  for (int i = 1; i < 60; ++i) engine.append(failure(now += kDay, "t"));
  has(reasons("t", now), "failed 60x (last 0 min ago)");
  has(reasons("t", now + 40 * kDay), "failed 60x (last 40 d ago)");
  const auto events = engine.events_of_node("t", now);
  engine.undo(events[1].position, now);  // the first failure
  has(reasons("t", now), "failed 59x");
  engine.append(failure(kStart + kHour, "t"));  // late
  has(reasons("t", now), "failed 60x");
  const TaskExplanation why = engine.explain("t", std::nullopt, now);
  for (const FactorLine& line : why.lines) {
    if (line.name != "failure_penalty") continue;
    REQUIRE(line.grounds.size() == 1);
    CHECK(line.grounds[0].causes.size() == 5);
    CHECK(line.grounds[0].cause_count == 60);
  }
  // A success that leaves half of what the failures cost.
  engine.append(policy(now, {{"close_on_success", "false"}, {"forgiveness", "0.5"}}));
  engine.append(success(now + kDay, "t"));
  has(reasons("t", now + kDay), "failed 60x before it succeeded");
  engine.sync();
  CHECK(engine.verify().empty());
  CHECK(open(path).state().graph().nodes().failed[*engine.state().find("t")] == 60);
}

TEST_CASE("a failure again is evidence, as much as was forgotten of the one before") {
  Engine engine = strong_and_rival();
  const auto failures = [&] {
    return engine.state().graph().nodes().failures[*engine.state().find("strong")];
  };
  const auto rate = [&](TimeMs now) { return factors_of(engine, "strong", now).success_rate; };
  for (int i = 0; i < 30; ++i) engine.append(failure(kStart, "strong"));
  CHECK(rate(kStart) == 1);  // at one instant the failure penalty says it all
  const TimeMs month = kStart + 30 * kDay;
  engine.append(failure(month, "strong"));
  const double forgotten = 1 - std::pow(0.9, 30);
  CHECK(failures() == Approx(forgotten));
  CHECK(rate(month) == Approx(std::pow(3 / (3 + forgotten), 5)));
  CHECK(rate(month + 30 * kDay) == Approx(std::pow(3 / (3 + forgotten / 2), 5)));
  engine.append(failure(month + kDay, "strong"));
  CHECK(failures() == Approx(forgotten * std::exp2(-1.0 / 30) + 0.1));
  const double before = failures();
  engine.append(partial(month + 2 * kDay, "strong"));
  CHECK(failures() == before);  // it says nothing either way
  engine.append(success(month + 3 * kDay, "strong", {}));
  CHECK(failures() == 0);  // forgiven
  CHECK(rate(month + 3 * kDay) == Approx(std::pow(1.125, 5)));
}

TEST_CASE("own outcomes that come late or are undone leave what they would have left in time") {
  const TempDir dir;
  Engine in_order = open(dir.file("a.db")), late = open(dir.file("b.db"));
  std::vector<Event> events{keyed(node(kStart, "a"), "a")};
  for (int i = 1; i <= 6; ++i)
    events.push_back(keyed(failure(kStart + i * 5 * kDay, "a"), std::to_string(i)));
  for (const Event& e : events) in_order.append(e);
  late.append(events[0]);
  for (const int i : {6, 2, 5, 1, 4, 3}) late.append(events[static_cast<std::size_t>(i)]);
  CHECK(difference(dump(late.state()), dump(in_order.state())) == "");
  late.sync();
  CHECK(late.verify().empty());

  // Undone, as if it had never been.
  Engine without = open(":memory:");
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (i != 4) without.append(events[i]);
  }
  in_order.undo(5, kStart + 40 * kDay);
  const auto own = [](Engine& e) {
    const auto& c = e.state().graph().nodes();
    const auto n = *e.state().find("a");
    return std::tuple(c.successes[n], c.failures[n], c.tried_at[n]);
  };
  CHECK(own(in_order) == own(without));
}

TEST_CASE("a success closes its task in any state but CLOSED, and a node without a state never") {
  Engine engine = open(":memory:");
  engine.append(node(kStart, "l", "LABEL", ""));
  engine.append(success(kStart, "l", {}));
  CHECK(state_of(engine.state(), "l") == "");
  for (const std::string state : {"OPEN", "IN_PROGRESS", "CLAIMED", "BLOCKED"}) {
    CAPTURE(state);
    engine.append(node(kStart, state, "TASK", state));
    engine.append(failure(kStart, state));
    CHECK(state_of(engine.state(), state) == state);
    engine.append(partial(kStart, state));
    CHECK(state_of(engine.state(), state) == state);
    engine.append(success(kStart, state, {}));
    CHECK(state_of(engine.state(), state) == "CLOSED");
  }
  engine.append(policy(kStart + 1, {{"close_on_success", "false"}}));
  engine.append(node(kStart + 1, "kept", "TASK", "CLAIMED"));
  engine.append(success(kStart + 2, "kept", {}));
  CHECK(state_of(engine.state(), "kept") == "CLAIMED");
}

TEST_CASE("activity is progress; to edit a field is none") {
  Engine engine = open(":memory:");
  engine.append({node(kStart, "t"), node(kStart, "change", "NOTE", "")});
  TimeMs now = kStart + 10 * kDay;
  const auto last = [&] {
    const reward::View view = engine.state().view();
    const reward::Ranking ranking(view, now);
    return ranking.evidence_of(view, ranking.focus(), *engine.state().find("t")).last_activity;
  };
  Event edit = named(now, "t", "another name");
  std::get<NodeUpsert>(edit.payload).properties = R"({"note":"x"})";
  engine.append(edit);
  CHECK(last() == kStart);
  engine.append(test::state(now += kDay, "t", "IN_PROGRESS"));
  CHECK(last() == kStart);
  engine.append(failure(now += kDay, "t"));
  CHECK(last() == kStart);
  engine.append(test::state(now += kDay, "t", "OPEN"));
  CHECK(last() == now);  // reopened
  engine.append(partial(now += kDay, "t"));
  CHECK(last() == now);
  engine.append(link(now += kDay, "change", "RESOLVES", "t"));
  CHECK(last() == now);
}

TEST_CASE("to say something anew wakes an edge that sleeps to what is said") {
  Engine engine = open(":memory:");
  engine.append({node(kStart, "a"), node(kStart, "b"), link(kStart, "a", "RELATES", "b", 1)});
  const EdgeName edge{"a", "b", "RELATES"};
  engine.append(link(kStart + kDay, "a", "RELATES", "b", 1));
  CHECK(weight(engine.state(), edge) == Approx(0.98 + 0.1));  // awake: a little more
  const TimeMs later = kStart + 400 * kDay;
  REQUIRE(weight(engine.state(), edge, later) == Approx(0.1));
  engine.append(link(later, "a", "RELATES", "b", 1));
  CHECK(weight(engine.state(), edge) == 1);
  engine.append(link(later + 400 * kDay, "a", "RELATES", "b", 9));
  CHECK(weight(engine.state(), edge) == 5);  // and never above the cap
}

}  // namespace
}  // namespace hebb::test
