// Section 9 of docs/semantics.md: every number by the engine.
#include <functional>
#include <map>
#include <utility>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "engine/engine.h"
#include "reward/ranking.h"
#include "tests/docs/page.h"
#include "tests/support/ranking.h"

using namespace hebb;

namespace {

constexpr TimeMs kThen = 1'700'000'000'000;
constexpr TimeMs kNow = kThen + 30 * reward::kMsPerDay;

class World {
 public:
  World() : engine_({":memory:"}) { node("task", "OPEN"); }

  void node(const std::string& id, const std::string& state) {
    NodeUpsert upsert;
    upsert.type = state.empty() ? "LABEL" : "TASK";
    if (!state.empty()) upsert.state = state;
    engine_.append(Event{0, kThen, id, "", upsert});
  }
  void label(const std::string& task, const std::string& label) {
    engine_.append(Event{0, kThen, task, "", Link{label, "LABELED_AS", 1, {}}});
  }
  // Another task, created with the first.
  std::string other(int i, const std::string& its_label = {}) {
    const std::string id = "other" + std::to_string(i);
    node(id, "OPEN");
    if (!its_label.empty()) label(id, its_label);
    return id;
  }
  void outcome(const std::string& task, OutcomeKind kind, std::vector<std::string> related = {}) {
    OutcomeSignal signal;
    signal.outcome = kind;
    signal.related = std::move(related);
    engine_.append(Event{0, kNow, task, "", std::move(signal)});
  }
  double priority() {
    const auto view = engine_.state().view();
    const auto f = reward::factors(view, *engine_.state().find("task"), kNow);
    // The page says so: what depends on which task was completed last is left out.
    return f.priority / (f.order_proximity * f.context_overlap);
  }

 private:
  Engine engine_;
};

// What `events` of a sender's events do to a world, by what the page calls the sender's doing.
using Doing = std::function<double(int events)>;

double ratio(World& world, const std::function<void()>& events) {
  const double before = world.priority();
  events();
  return world.priority() / before;
}

double through_label(int events, OutcomeKind kind, bool has_label, std::vector<std::string> named) {
  World w;
  w.node("label", "");
  w.label("task", "label");
  for (int i = 0; i < events; ++i) w.other(i, has_label ? "label" : "");
  return ratio(w, [&] {
    for (int i = 0; i < events; ++i) w.outcome("other" + std::to_string(i), kind, named);
  });
}

double own_failures(int events, int labels) {
  World w;
  for (int i = 0; i < labels; ++i) {
    w.node("label" + std::to_string(i), "");
    w.label("task", "label" + std::to_string(i));
  }
  return ratio(w, [&] {
    for (int i = 0; i < events; ++i) w.outcome("task", OutcomeKind::failure);
  });
}

const std::map<std::string, Doing>& doings() {
  static const std::map<std::string, Doing> all = {
      {"names the task in `relatedNodes` of other tasks' successes",
       [](int events) {
         World w;
         for (int i = 0; i < events; ++i) w.other(i);
         return ratio(w, [&] {
           for (int i = 0; i < events; ++i)
             w.outcome("other" + std::to_string(i), OutcomeKind::success, {"task"});
         });
       }},
      {"does the same in successes of one task",
       [](int events) {
         World w;
         const auto other = w.other(0);
         return ratio(w, [&] {
           for (int i = 0; i < events; ++i) w.outcome(other, OutcomeKind::success, {"task"});
         });
       }},
      {"reports a partial outcome of a task that nobody touched for 30 days",
       [](int events) {
         World w;
         return ratio(w, [&] {
           for (int i = 0; i < events; ++i) w.outcome("task", OutcomeKind::partial);
         });
       }},
      {"lets other tasks with the task's label succeed",
       [](int events) { return through_label(events, OutcomeKind::success, true, {}); }},
      {"names the task's label in `relatedNodes` of tasks without it",
       [](int events) { return through_label(events, OutcomeKind::success, false, {"label"}); }},
      {"lets other tasks with the task's label fail",
       [](int events) { return through_label(events, OutcomeKind::failure, true, {}); }},
      {"lets the task itself fail, which has no context",
       [](int events) { return own_failures(events, 0); }},
      {"lets the task itself fail, which has 24 labels",
       [](int events) { return own_failures(events, 24); }},
  };
  return all;
}

}  // namespace

TEST_CASE("what a sender can do is what the page says") {
  const auto tables = test::Page("docs/semantics.md").tables("9 What a sender can do");
  REQUIRE(tables.size() == 1);
  std::string who;
  std::map<std::string, int> rows;
  for (const auto& cells : tables.front().rows) {
    REQUIRE(cells.size() == 4);
    if (!cells[0].empty()) who = cells[0];
    CAPTURE(who, cells[1]);
    REQUIRE(doings().contains(who));
    CHECK(fmt::format("{:.3g}", doings().at(who)(std::stoi(cells[1]))) == cells[2]);
    ++rows[who];
  }
  CHECK(rows.size() == doings().size());
}
