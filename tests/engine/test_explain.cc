// explain: the numbers are the ranking's, they multiply to the priority, and the events are the
// right ones.
#include <algorithm>

#include <catch2/catch.hpp>

#include "engine/rank/explain.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

const FactorLine& line(const TaskExplanation& x, const std::string& name) {
  const auto found = std::find_if(x.lines.begin(), x.lines.end(),
                                  [&](const FactorLine& l) { return l.name == name; });
  REQUIRE(found != x.lines.end());
  return *found;
}

double sum(const FactorLine& l) {
  double total = 0;
  for (const Ground& g : l.grounds) total += g.value;
  return total;
}

std::vector<std::int64_t> events(const FactorLine& l) {
  std::vector<std::int64_t> positions;
  for (const Ground& g : l.grounds) {
    for (const Cause& c : g.causes) positions.push_back(c.event);
  }
  std::sort(positions.begin(), positions.end());
  return positions;
}

Engine world() {
  Engine engine = open(":memory:");
  engine.append({
      node(kStart, "done", "TASK", "OPEN", {1, 0}),             // 1
      node(kStart + 1, "task", "TASK", "OPEN", {0, 1}),         // 2
      node(kStart + 1, "other", "TASK", "OPEN", {0.5f, 0.5f}),  // 3
      node(kStart + 1, "label", "LABEL", ""),                   // 4
      node(kStart + 1, "note", "NOTE", ""),                     // 5
      link(kStart + 2, "note", "RESOLVES", "task", 2),          // 6
      link(kStart + 2, "done", "IN_CATEGORY", "label"),         // 7
      link(kStart + 2, "task", "IN_CATEGORY", "label"),         // 8
      success(kStart + kHour, "done", {"task"}, 0.5),           // 9
      failure(kStart + 2 * kHour, "task"),                      // 10
      link(kStart + 3 * kHour, "note", "RESOLVES", "task"),     // 11
  });
  return engine;
}

TEST_CASE("the factors of a task multiply to its priority, which is the ranking's") {
  Engine engine = world();
  const TimeMs now = kStart + kDay;
  RankQuery query;
  query.now = now;
  const auto rows = engine.rank(query);
  for (const RankRow& row : rows) {
    CAPTURE(row.id);
    const auto x = explain(engine, row.id, {}, now);
    CHECK(x.ranked);
    CHECK(x.why_not.empty());
    CHECK(x.rank == row.rank);
    CHECK(x.candidates == std::ssize(rows));
    CHECK(x.relative == row.relative);
    CHECK(x.factors.priority == row.factors.priority);
    double product = 1;
    for (const char* name : {"base", "recency", "age", "time_proximity", "order_proximity",
                             "context_overlap", "reward", "attention", "success_rate",
                             "failure_penalty", "urgency", "unblocks", "duration", "waiting"})
      product *= line(x, name).value;
    CHECK(product == Approx(row.factors.priority).epsilon(1e-12));
    CHECK(line(x, "base").value ==
          Approx(0.5 + 2 * line(x, "semantic").value + line(x, "structural").value));
    CHECK(sum(line(x, "structural")) == Approx(row.factors.structural).margin(1e-8));
  }
}

TEST_CASE("under each factor stand the events that made it") {
  Engine engine = world();
  const auto x = explain(engine, "task", {}, kStart + kDay);
  using Positions = std::vector<std::int64_t>;
  CHECK(events(line(x, "structural")) == Positions{6, 11});
  CHECK(events(line(x, "reward")) == Positions{9});
  CHECK(events(line(x, "failure_penalty")) == Positions{10});
  CHECK(events(line(x, "recency")) == Positions{11});
  CHECK(line(x, "reward").grounds.at(0).value == Approx(0.5 * std::exp2(-23.0 / 24)));
  CHECK(line(x, "semantic").grounds.at(0).what.find("done") != std::string::npos);
  CHECK(line(x, "success_rate").grounds.at(0).what.find("label") != std::string::npos);
}

TEST_CASE("what comes from a deleted node is no ground, as it is no part of the sum") {
  Engine engine = world();
  engine.append(test::remove(kStart + 4 * kHour, "note"));
  const auto x = explain(engine, "task", {}, kStart + kDay);
  CHECK(line(x, "structural").value == 0);
  CHECK(line(x, "structural").grounds.empty());
}

TEST_CASE("why a task is not ranked") {
  Engine engine = world();
  engine.append(link(kStart + 4 * kHour, "task", "BLOCKS", "other"));
  const auto why = [&](const char* id) { return explain(engine, id, {}, {}).why_not; };
  CHECK(why("done") == "its state is CLOSED");
  CHECK(why("other") == "blocked by task");
  CHECK(why("nobody").starts_with("unknown"));
  CHECK(why("note").starts_with("not a task"));
  engine.append(test::remove(kStart + 5 * kHour, "other"));
  CHECK(why("other") == "deleted");
  for (const char* id : {"done", "other", "nobody", "note"})
    CHECK_FALSE(explain(engine, id, {}, {}).ranked);
}

TEST_CASE("an edge's history: every event, its rule, the weight before and after") {
  Engine engine = open(":memory:");
  engine.append({node(kStart, "a"), node(kStart, "b"),
                 link(kStart, "frontier", "GUIDES", "a", 2),      // 3
                 link(kStart + kDay, "frontier", "GUIDES", "a"),  // 4
                 pivot(kStart + kDay, "b"),                       // 5
                 failure(kStart + kDay, "a"),                     // 6
                 link(kStart + 2 * kDay, "a", "RELATES", "b")});
  const EdgeName edge{"frontier", "a", "GUIDES"};
  const auto x = explain(engine, edge, {}, kStart + 2 * kDay);
  REQUIRE(x.steps.size() == 4);
  CHECK_FALSE(x.steps[0].before);
  CHECK(*x.steps[0].after == 2);
  std::vector<std::int64_t> order;
  for (const EdgeStep& step : x.steps) order.push_back(step.cause.event);
  CHECK(order == std::vector<std::int64_t>{3, 4, 5, 6});
  const double reinforced = 2 * 0.98 + 0.1;
  CHECK(*x.steps[1].before == Approx(2 * 0.98));
  CHECK(*x.steps[1].after == Approx(reinforced));
  CHECK(x.steps[2].rule == "scale 0.5");
  CHECK(*x.steps[3].after == Approx(reinforced * 0.5 * 0.7));
  CHECK(x.stored_weight == *x.steps[3].after);
  CHECK(x.stored_weight == weight(engine.state(), edge));
  CHECK(x.weight == Approx(x.stored_weight * 0.98));

  const auto then = explain(engine, edge, kStart + kHour, {});
  CHECK(then.steps.size() == 1);
  CHECK(then.stored_weight == 2);
  engine.undo(5, kStart + 3 * kDay);
  CHECK(explain(engine, edge, {}, {}).steps.size() == 3);
  CHECK_FALSE(explain(engine, {"a", "nobody", "RELATES"}, {}, {}).exists);
}

TEST_CASE("to be explained is not to be recalled, and changes nothing", "[sqlite]") {
  Engine engine = world();
  engine.sync();
  const auto before = dump_mirror(engine);
  explain(engine, "task", {}, {});
  explain(engine, {"note", "task", "RESOLVES"}, {}, {});
  CHECK(difference(dump_mirror(engine), before) == "");
  CHECK(tables_of(engine).scalar("SELECT count(*) FROM recall") == 0);
}

}  // namespace
}  // namespace hebb::test
