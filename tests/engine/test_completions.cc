// A completion of which a tracker and somebody else tell is counted once, in whatever order.
#include <algorithm>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/fold/completions.h"
#include "engine/values/refusals.h"
#include "tests/engine/ledger_support.h"

namespace hebb::test {
namespace {

constexpr const char* kTask = "bd-1";

Event made(TimeMs at) { return keyed(node(at, kTask), "made"); }
Event closing(TimeMs at) {
  return keyed(success(at, kTask), closing_id(kTask, std::to_string(at)));
}
Event undated(TimeMs at) {
  return keyed(success(at, kTask), closing_id(kTask, std::to_string(at), false));
}
Event told(TimeMs at, const std::string& id, double score = 0.5) {
  return keyed(success(at, kTask, {"other"}, score), id);
}
Event opened(TimeMs at) { return keyed(state(at, kTask, "OPEN"), fmt::format("open/{}", at)); }
Event progress(TimeMs at) {
  Event e = keyed(state(at, kTask, "IN_PROGRESS"), fmt::format("progress/{}", at));
  std::get<StateChange>(e.payload).opens = false;
  return e;
}
TimeMs hour(int n) { return kStart + n * kHour; }

Engine with_task() {
  Engine engine = open(":memory:");
  engine.append({node(kStart, "other"), made(kStart)});
  return engine;
}

std::int64_t successes(Engine& engine) { return stats_of(engine, hour(100)).outcomes; }

// Appends them in every order, each time to a new engine, and compares all that is folded.
void check_all_orders(std::vector<Event> events, std::int64_t completions) {
  const auto less = [](const Event& a, const Event& b) { return a.key < b.key; };
  std::sort(events.begin(), events.end(), less);
  std::string expected;
  do {
    Engine engine = with_task();
    for (const Event& e : events) engine.append(e);
    std::string order;
    for (const Event& e : events) order += e.key + " ";
    INFO(order);
    REQUIRE(successes(engine) == completions);
    const std::string got = dump(engine.state());
    if (expected.empty()) expected = got;
    REQUIRE(difference(got, expected).empty());
    REQUIRE(engine.verify().empty());
    engine.rebuild();
    REQUIRE(difference(dump(engine.state()), expected).empty());
    Engine elsewhere = open(":memory:");
    import_log(elsewhere, exported(engine));
    REQUIRE(difference(dump(elsewhere.state()), expected).empty());
  } while (std::next_permutation(events.begin(), events.end(), less));
}

}  // namespace

TEST_CASE("two who tell of one completion count once, in every order of arrival and of times",
          "[slow]") {
  SECTION("the tracker's time is first") {
    check_all_orders({closing(hour(1)), told(hour(2), "o")}, 1);
  }
  SECTION("it is second") { check_all_orders({told(hour(1), "o"), closing(hour(2))}, 1); }
  SECTION("it is the same") { check_all_orders({told(hour(1), "o"), closing(hour(1))}, 1); }
  SECTION("opened again and done again") {
    check_all_orders({closing(hour(1)), told(hour(2), "o"), opened(hour(3)), told(hour(4), "p"),
                      closing(hour(5))},
                     2);
  }
  SECTION("each told by one of them") {
    check_all_orders({told(hour(1), "o"), opened(hour(3)), closing(hour(4))}, 2);
  }
  SECTION("an opening between the two makes two of them") {
    check_all_orders({closing(hour(1)), opened(hour(2)), told(hour(3), "o")}, 2);
  }
  SECTION("the tracker closed it twice, and the opening was not seen") {
    check_all_orders({closing(hour(1)), told(hour(2), "o"), closing(hour(3))}, 2);
  }
  SECTION("work that goes on in the tracker opens nothing") {
    check_all_orders({told(hour(1), "o"), progress(hour(2)), closing(hour(3))}, 1);
  }
  SECTION("a closing without a date is that with one") {
    check_all_orders({undated(hour(3)), closing(hour(1)), undated(hour(4))}, 1);
  }
  SECTION("and that of somebody else") {
    check_all_orders({undated(hour(3)), told(hour(1), "o"), closing(hour(2))}, 1);
  }
  SECTION("closings without a date alone are one") {
    check_all_orders({undated(hour(3)), undated(hour(4))}, 1);
  }
}

TEST_CASE("what whoever did the work says of a completion is not lost to the tracker's word") {
  Engine engine = with_task();
  engine.append(closing(hour(1)));
  engine.append(told(hour(2), "o", 0.25));
  const State& s = engine.state();
  CHECK(s.graph().nodes().successes[*s.find(kTask)] == 0.25);
  CHECK(weight(s, {kTask, "other", "REWARD_POSITIVE"}) == 0.25);
  CHECK(s.graph().nodes().completed_at[*s.find(kTask)] == hour(2));
}

TEST_CASE("outcomes that no tracker tells each count") {
  Engine engine = with_task();
  for (int n : {1, 2, 3}) engine.append(told(hour(n), std::to_string(n)));
  CHECK(successes(engine) == 3);
  engine.append(closing(hour(4)));
  CHECK(successes(engine) == 3);
}

TEST_CASE("when the other outcome is undone, the tracker's closing counts, and the reverse") {
  Engine engine = with_task();
  const bool first = GENERATE(true, false);
  engine.append(first ? closing(hour(1)) : told(hour(2), "o"));
  engine.append(first ? told(hour(2), "o") : closing(hour(1)));
  const auto outcome = *engine.ledger().position_of("5:o");
  const auto tracker =
      *engine.ledger().position_of("5:" + closing_id(kTask, std::to_string(hour(1))));
  CHECK(engine.undone().contains(tracker));
  const auto undo = engine.undo(outcome, hour(5)).by;
  CHECK(engine.undone().contains(outcome));
  CHECK_FALSE(engine.undone().contains(tracker));
  CHECK(state_of(engine.state(), kTask) == "CLOSED");
  CHECK(successes(engine) == 1);
  engine.undo(undo, hour(6));
  CHECK_FALSE(engine.undone().contains(outcome));
  CHECK(engine.undone().contains(tracker));
  CHECK(successes(engine) == 1);
  CHECK(engine.verify().empty());
}

TEST_CASE("what hebb undid for that is not for others to bring back") {
  Engine engine = with_task();
  engine.append(closing(hour(1)));
  engine.append(told(hour(2), "o"));
  const auto tracker =
      *engine.ledger().position_of("5:" + closing_id(kTask, std::to_string(hour(1))));
  const std::string says = "undo that outcome";
  CHECK_THROWS_WITH(engine.undo(tracker, hour(3)), Catch::Contains(says));
  CHECK_THROWS_WITH(engine.undo(engine.ledger().last_position(), hour(3)), Catch::Contains(says));
}

TEST_CASE("a closing that somebody has undone stays so") {
  Engine engine = with_task();
  engine.append(closing(hour(1)));
  const auto tracker = engine.ledger().last_position();
  engine.undo(tracker, hour(2));
  engine.append(told(hour(3), "o"));
  engine.undo(*engine.ledger().position_of("5:o"), hour(4));
  CHECK(engine.undone().contains(tracker));
  CHECK(successes(engine) == 0);
}

TEST_CASE("an outcome of another task is no closing of this one") {
  Engine engine = with_task();
  engine.append(keyed(success(hour(1), kTask), "bd-2/closed/1"));
  engine.append(told(hour(2), "o"));
  CHECK(successes(engine) == 2);
}

TEST_CASE("a state that opens nothing leaves what is closed, and changes what is not") {
  Engine engine = with_task();
  engine.append(progress(hour(1)));
  CHECK(state_of(engine.state(), kTask) == "IN_PROGRESS");
  engine.append(told(hour(2), "o"));
  engine.append(progress(hour(3)));
  CHECK(state_of(engine.state(), kTask) == "CLOSED");
  Event again = keyed(node(hour(4), kTask), "again");
  std::get<NodeUpsert>(again.payload).opens = false;
  engine.append(again);
  CHECK(state_of(engine.state(), kTask) == "CLOSED");
  engine.append(opened(hour(5)));
  CHECK(state_of(engine.state(), kTask) == "OPEN");
}

}  // namespace hebb::test
