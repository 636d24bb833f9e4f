// hebb as a way to choose in a simulated week: an engine with a database in memory, which is told
// what a person or a tracker would tell it.
#include <cmath>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/engine.h"
#include "tests/support/week_world.h"

namespace hebb::test::week {

namespace {

constexpr TimeMs kWeekStart = 1'700'000'000'000;

TimeMs to_ms(double hours) { return static_cast<TimeMs>(std::llround(hours * 3'600'000)); }
TimeMs time_of(double hours) { return kWeekStart + to_ms(hours); }
std::string id_of(std::size_t task) { return fmt::format("task-{}", task); }
std::string label_of(std::size_t kind) { return fmt::format("kind-{}", kind); }

Event event_of(std::string subject, TimeMs at, Payload payload) {
  Event e;
  e.at = at;
  e.subject = std::move(subject);
  e.payload = std::move(payload);
  return e;
}

class Hebb : public Scheduler {
 public:
  Hebb(const World& world, const std::vector<reward::Setting>& settings)
      : world_(world),
        engine_({.path = ":memory:", .graph_cache_from = std::numeric_limits<std::size_t>::max()}) {
    const TimeMs before = kWeekStart - 7 * 24 * 3'600'000LL;
    if (!settings.empty()) {
      PolicyChange change;
      for (const auto& [key, value] : settings) change.settings.emplace_back(key, value);
      engine_.append(event_of("policy", before, std::move(change)));
    }
    for (std::size_t kind = 0; kind < kKinds; ++kind) {
      NodeUpsert label;
      label.type = "LABEL";
      engine_.append(event_of(label_of(kind), before, std::move(label)));
    }
  }

  void arrived(std::size_t number) override {
    const Task& task = world_.tasks()[number];
    const TimeMs at = time_of(task.created);
    NodeUpsert node;
    node.type = "TASK";
    node.priority = task.priority;
    if (task.due) node.due_at = time_of(*task.due);
    if (task.estimate) node.estimate = to_ms(*task.estimate);
    std::vector<Event> events;
    events.push_back(event_of(id_of(number), at, std::move(node)));
    events.push_back(event_of(id_of(number), at, Link{label_of(task.kind), "LABELED_AS", 1, {}}));
    if (task.blocker)
      events.push_back(event_of(id_of(*task.blocker), at, Link{id_of(number), "BLOCKS", 1, {}}));
    engine_.append(std::move(events));
  }

  // As `hebb next --claim` does.
  std::size_t choose(std::span<const std::size_t>, std::size_t agent, double now) override {
    ClaimNext next;
    next.agent = fmt::format("agent-{}", agent);
    next.now = time_of(now);
    next.lease_ms = kLongestLeaseMs;
    const auto claimed = engine_.claim_next(next);
    if (claimed.empty()) throw std::logic_error("hebb gives none of the tasks that can be begun");
    const std::string& id = claimed.front().row.id;
    return std::stoul(id.substr(id.find('-') + 1));
  }

  void ended(std::size_t task, std::size_t, bool success, double hours, double now) override {
    OutcomeSignal signal;
    signal.outcome = success ? OutcomeKind::success : OutcomeKind::failure;
    signal.input = fmt::format(R"({{"metrics":{{"executionTimeMs":{}}}}})", to_ms(hours));
    signal.token = claim_of(engine_, id_of(task)).value().token;
    engine_.append(event_of(id_of(task), time_of(now), std::move(signal)));
  }

 private:
  const World& world_;
  Engine engine_;
};

}  // namespace

std::unique_ptr<Scheduler> hebb_scheduler(const World& world,
                                          const std::vector<reward::Setting>& settings) {
  return std::make_unique<Hebb>(world, settings);
}

}  // namespace hebb::test::week
