// The tests of a run, in the time that there is, those first that a change concerns.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/support/history.h"

namespace hebb::test {
namespace {

Event timed(Event e, double ms) {
  auto& outcome = std::get<OutcomeSignal>(e.payload);
  outcome.input = fmt::format(R"({{"metrics":{{"executionTimeMs":{}}}}})", ms);
  return e;
}

// Three tests: "a" failed, "b" and "c" passed; "b" has failed with a change of "src/b".
Engine tested() {
  Engine engine = open(":memory:");
  for (const char* id : {"a", "b", "c"}) engine.append(node(kStart, id, "TEST"));
  engine.append(node(kStart, "src/b", "FILE", ""));
  engine.append(link(kStart, "b", "FAILS_WITH", "src/b"));
  engine.append(timed(failure(kStart + kHour, "a"), 3000));
  engine.append(timed(success(kStart + kHour, "b"), 1000));
  engine.append(timed(success(kStart + 2 * kHour, "b"), 2000));
  engine.append(timed(success(kStart + kHour, "c"), 500));
  return engine;
}

RankQuery all_of(const Selection& selection) {
  RankQuery query;
  query.top = 100;
  query.selection = selection;
  query.reasons = true;
  return query;
}

std::vector<std::string> order(Engine& engine, const Selection& selection, std::size_t top = 100) {
  RankQuery query = all_of(selection);
  query.top = top;
  std::vector<std::string> ids;
  for (const PathRow& row : engine.rank(query)) {
    CHECK(row.rank == std::ssize(ids) + 1);
    ids.push_back(row.id);
  }
  return ids;
}

using Names = std::vector<std::string>;

TEST_CASE("only those of a run are ranked, and one that nobody has seen is new") {
  Engine engine = tested();
  CHECK(order(engine, {}) == Names{"a", "b", "c"});
  Selection selection;
  selection.among = Names{"c", "d", "b", "src/b"};  // a file is no candidate
  // "d" has not failed, and it has not passed either.
  CHECK(order(engine, selection) == Names{"d", "b", "c"});
  CHECK(order(engine, selection, 1) == Names{"d"});
  selection.among = Names{};
  CHECK(order(engine, selection).empty());
}

TEST_CASE("a budget takes what fits into it") {
  Engine engine = tested();
  Selection selection;
  selection.among = Names{"a", "b", "c", "d"};
  selection.budget_seconds = 100;
  const auto all = engine.rank(all_of(selection));
  REQUIRE(all.size() == 4);
  CHECK(all[0].seconds == 3.0);                           // a
  CHECK(*all[1].seconds == Approx((3 + 1.5 + 0.5) / 3));  // d: the mean of the others
  CHECK(all[2].seconds == 1.5);                           // b: the mean of its own
  selection.budget_seconds = 3.5;                         // d does not fit behind a, nor b
  CHECK(order(engine, selection) == Names{"a", "c"});
  selection.budget_seconds = 0;
  CHECK(order(engine, selection).empty());
}

TEST_CASE("what a change concerns comes first") {
  Engine engine = tested();
  Selection selection;
  selection.among = Names{"b", "c"};
  selection.changed = {"src/b"};
  const auto rows = engine.rank(all_of(selection));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].id == "b");
  CHECK(rows[0].reasons.front() == "src/b changed");
  CHECK(rows[0].factors.priority == Approx(2 * rows[1].factors.priority).epsilon(1e-2));
  for (const auto& row : rows) {
    const reward::Factors& f = row.factors;
    CHECK(row.change_proximity == (row.id == "b" ? Approx(2).epsilon(1e-2) : Approx(1)));
    CHECK(f.priority == Approx(f.base * f.recency * f.time_proximity * f.order_proximity *
                               f.context_overlap * f.reward * f.success_rate * f.failure_penalty *
                               f.urgency * f.unblocks * f.waiting * row.change_proximity));
  }
  // A file that nothing is known of changes nothing.
  selection.changed = {"src/z"};
  CHECK(order(engine, selection) == Names{"b", "c"});
}

}  // namespace
}  // namespace hebb::test
