// A task is completed once until it is reopened: what else is reported of it counts nothing, in
// whatever order the events arrive.
#include <algorithm>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/input/tickets.h"
#include "tests/engine/ledger_support.h"

namespace hebb::test {
namespace {

using input::closing_id;

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

double successes(Engine& engine) {
  const State& s = engine.state();
  return s.graph().nodes().successes[*s.find(kTask)];
}
double rewarded(Engine& engine) {
  return weight(engine.state(), {kTask, "other", "REWARD_POSITIVE"});
}

// Appends them in every order, each time to a new engine, and compares all that is folded.
void check_all_orders(std::vector<Event> events, double score) {
  const auto less = [](const Event& a, const Event& b) { return a.key < b.key; };
  std::sort(events.begin(), events.end(), less);
  std::string expected;
  do {
    Engine engine = with_task();
    for (const Event& e : events) engine.append(e);
    std::string order;
    for (const Event& e : events) order += e.key + " ";
    INFO(order);
    // What counted fades for some hours.
    REQUIRE(successes(engine) == Approx(score).epsilon(0.02));
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

TEST_CASE("the first success since the task was opened counts, in every order of arrival",
          "[slow]") {
  SECTION("the tracker's time is first") {
    check_all_orders({closing(hour(1)), told(hour(2), "o")}, 1);
  }
  SECTION("it is second") { check_all_orders({told(hour(1), "o"), closing(hour(2))}, 0.5); }
  SECTION("it is the same") { check_all_orders({told(hour(1), "o"), closing(hour(1))}, 1); }
  SECTION("two reports") { check_all_orders({told(hour(1), "o"), told(hour(2), "p", 0.7)}, 0.5); }
  SECTION("opened again and done again") {
    check_all_orders({closing(hour(1)), told(hour(2), "o"), opened(hour(3)), told(hour(4), "p"),
                      closing(hour(5))},
                     1.5);
  }
  SECTION("each reported by one of them") {
    check_all_orders({told(hour(1), "o"), opened(hour(3)), closing(hour(4))}, 1.5);
  }
  SECTION("the tracker closed it twice, and the opening was not seen") {
    check_all_orders({closing(hour(1)), told(hour(2), "o"), closing(hour(3))}, 1);
  }
  SECTION("work that goes on in the tracker opens nothing") {
    check_all_orders({told(hour(1), "o"), progress(hour(2)), closing(hour(3))}, 0.5);
  }
  SECTION("a closing without a date is that with one") {
    check_all_orders({undated(hour(3)), closing(hour(1)), undated(hour(4))}, 1);
  }
  SECTION("a failure and a partial outcome of a task that is done") {
    check_all_orders({told(hour(1), "o"), keyed(failure(hour(2), kTask), "f"),
                      keyed(partial(hour(3), kTask), "p")},
                     0.5);
  }
  SECTION("one of a task that was opened before it") {
    check_all_orders({told(hour(1), "o"), opened(hour(2)), keyed(failure(hour(3), kTask), "f"),
                      told(hour(4), "p")},
                     1);
  }
}

TEST_CASE("what is reported of a task that is done changes nothing, until it is opened") {
  Engine engine = with_task();
  engine.append(told(hour(1), "o", 0.25));
  const std::string before = dump(engine.state());
  engine.append(told(hour(1) + kMinute, "p", 1));
  engine.append(failure(hour(1) + 2 * kMinute, kTask));
  CHECK(difference(dump(engine.state()), before).empty());
  CHECK(rewarded(engine) == 0.25);
  engine.append(opened(hour(4)));
  engine.append(failure(hour(5), kTask));
  CHECK(engine.state().graph().nodes().failed[*engine.state().find(kTask)] == 1);
}

TEST_CASE("no event is written to take back another") {
  Engine engine = with_task();
  engine.append(closing(hour(1)));
  const auto last = engine.ledger().last_position();
  engine.append(told(hour(2), "o"));
  CHECK(engine.ledger().last_position() == last + 1);
  CHECK(engine.undone().empty());
}

TEST_CASE("when the outcome that counts is undone, the other one does, and the reverse") {
  Engine engine = with_task();
  engine.append(closing(hour(1)));
  engine.append(told(hour(2), "o", 0.5));
  CHECK(successes(engine) == 1);
  const auto tracker =
      *engine.ledger().position_of("5:" + closing_id(kTask, std::to_string(hour(1))));
  const auto undo = engine.undo(tracker, hour(5)).by;
  CHECK(state_of(engine.state(), kTask) == "CLOSED");
  CHECK(successes(engine) == 0.5);
  engine.undo(undo, hour(6));
  CHECK(successes(engine) == 1);
  CHECK(engine.verify().empty());
}

TEST_CASE("an undo by which hebb took back a closing keeps its effect, and can be undone") {
  Engine engine = with_task();
  engine.append(closing(hour(1)));
  const auto tracker = engine.ledger().last_position();
  Event e = success(hour(2), "ledger");
  e.payload = Undo{tracker, {}, true};
  engine.append(e);
  const auto undo = engine.ledger().last_position();
  engine.append(told(hour(2), "o"));
  CHECK(engine.undone().contains(tracker));
  CHECK(successes(engine) == 0.5);
  CHECK(engine.verify().empty());
  engine.undo(undo, hour(3));
  CHECK(successes(engine) == 1);
  CHECK(engine.verify().empty());
}

TEST_CASE("a test, and what has no state, is never done") {
  Engine engine = open(":memory:");
  Event label = node(kStart, "ui", "LABEL");
  std::get<NodeUpsert>(label.payload).state.reset();
  engine.append({node(kStart, "t", "TEST"), label});
  for (const char* id : {"t", "ui"}) {
    engine.append(success(hour(1), id));
    engine.append(failure(hour(2), id));
    CHECK(engine.state().graph().nodes().failed[*engine.state().find(id)] == 1);
  }
}

TEST_CASE("a task that successes leave open can succeed again") {
  Engine engine = with_task();
  engine.append(policy(hour(0), {{"close_on_success", "false"}}));
  engine.append(told(hour(1), "o"));
  engine.append(told(hour(2), "p"));
  CHECK(successes(engine) == Approx(1).epsilon(0.02));
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
