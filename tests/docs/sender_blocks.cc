// The block "senders" of docs/ranking.md: every number by the engine.
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "engine/engine.h"
#include "reward/ranking.h"
#include "tests/docs/blocks.h"
#include "tests/support/ranking.h"

namespace hebb::test {

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
    return f.priority / (f.time_proximity * f.order_proximity * f.context_overlap);
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

struct Sender {
  std::string does;
  Doing times;  // what that multiplies the task's priority by
  std::vector<int> events;
  std::string bounded_by;  // said of the last of these
};

std::vector<Sender> senders() {
  return {
      {"names the task in `relatedNodes` of other tasks' successes",
       [](int events) {
         World w;
         for (int i = 0; i < events; ++i) w.other(i);
         return ratio(w, [&] {
           for (int i = 0; i < events; ++i)
             w.outcome("other" + std::to_string(i), OutcomeKind::success, {"task"});
         });
       },
       {1, 10, 500},
       "*e*^0.5 = 1.65 (`reward_weight`), and halves in a day"},
      {"does the same in successes of one task",
       [](int events) {
         World w;
         const auto other = w.other(0);
         return ratio(w, [&] {
           for (int i = 0; i < events; ++i) w.outcome(other, OutcomeKind::success, {"task"});
         });
       },
       {500},
       "the gain of an edge in a day"},
      {"reports a partial outcome of a task without activity for 30 days",
       [](int events) {
         World w;
         return ratio(w, [&] {
           for (int i = 0; i < events; ++i) w.outcome("task", OutcomeKind::partial);
         });
       },
       {1},
       "its age: the factors `recency` and `age` are at most 1"},
      {"lets other tasks with the task's label succeed",
       [](int events) { return through_label(events, OutcomeKind::success, true, {}); },
       {1, 10, 500},
       "1 / `success_rate_floor`"},
      {"names the task's label in `relatedNodes` of tasks without it",
       [](int events) { return through_label(events, OutcomeKind::success, false, {"label"}); },
       {500},
       "such a success is no evidence"},
      {"lets other tasks with the task's label fail",
       [](int events) { return through_label(events, OutcomeKind::failure, true, {}); },
       {1, 5, 500},
       "`success_rate_floor`"},
      {"lets the task itself fail, which has no label",
       [](int events) { return own_failures(events, 0); },
       {1, 7, 500},
       "the cap of `REWARD_NEGATIVE`"},
      {"lets the task itself fail, which has 24 labels",
       [](int events) { return own_failures(events, 24); },
       {500},
       "both"},
  };
}

Rows sender_rows() {
  Rows rows;
  for (const Sender& sender : senders()) {
    for (const int events : sender.events) {
      const bool first = events == sender.events.front(), last = events == sender.events.back();
      rows.push_back({first ? sender.does : "", std::to_string(events),
                      fmt::format("{:.3g}", sender.times(events)), last ? sender.bounded_by : ""});
    }
  }
  return rows;
}

}  // namespace

Generators sender_blocks() {
  return {{"senders",
           table_block({"the sender", "events", "priority times", "bounded by"}, sender_rows)}};
}

}  // namespace hebb::test
