// The ways to choose that are compared with hebb's, and the list of all.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "tests/support/week_world.h"

namespace hebb::test::week {

namespace {

// By an order of tasks; where two are level, the older one.
class Sorted : public Scheduler {
 public:
  using Before = bool (*)(const Task&, const Task&);
  Sorted(const World& world, Before before) : world_(world), before_(before) {}

  std::size_t choose(std::span<const std::size_t> ready, std::size_t, double) override {
    return *std::ranges::min_element(ready, [&](std::size_t a, std::size_t b) {
      return before_(world_.tasks()[a], world_.tasks()[b]);
    });
  }

 private:
  const World& world_;
  Before before_;
};

class AtRandom : public Scheduler {
 public:
  explicit AtRandom(std::uint64_t seed) : random_(seed) {}
  std::size_t choose(std::span<const std::size_t> ready, std::size_t, double) override {
    const double share = std::generate_canonical<double, 53>(random_);
    return ready[static_cast<std::size_t>(share * static_cast<double>(ready.size()))];
  }

 private:
  std::mt19937_64 random_;
};

// What the attempts of each kind came to so far.
struct Seen {
  std::array<double, kKinds> successes{}, failures{}, hours{};

  void add(std::size_t kind, bool success, double took) {
    ++(success ? successes : failures).at(kind);
    hours.at(kind) += took;
  }
  double attempts(std::size_t kind) const { return successes.at(kind) + failures.at(kind); }
  // As if each kind had once succeeded and once failed.
  double chance(std::size_t kind) const { return (successes.at(kind) + 1) / (attempts(kind) + 2); }
  // As if each kind had once taken what the mean attempt takes, and that were an hour at first.
  double mean_hours(std::size_t kind) const {
    double all = 1, count = 1;
    for (std::size_t k = 0; k < kKinds; ++k) {
      all += hours[k];
      count += attempts(k);
    }
    return (hours.at(kind) + all / count) / (attempts(kind) + 1);
  }
};

// Thompson sampling (Thompson 1933): a chance is drawn for each kind from the Beta distribution of
// what was seen of it, and the task with the largest chance times worth is taken.
class Thompson : public Scheduler {
 public:
  Thompson(const World& world, std::uint64_t seed) : world_(world), random_(seed) {}

  std::size_t choose(std::span<const std::size_t> ready, std::size_t, double) override {
    std::array<double, kKinds> drawn{};
    for (std::size_t k = 0; k < kKinds; ++k) drawn[k] = beta(seen_.successes[k], seen_.failures[k]);
    return *std::ranges::max_element(ready, {}, [&](std::size_t i) {
      const Task& task = world_.tasks()[i];
      return task.worth() * drawn.at(task.kind);
    });
  }
  void ended(std::size_t task, std::size_t, bool success, double hours, double) override {
    seen_.add(world_.tasks()[task].kind, success, hours);
  }

 private:
  double beta(double successes, double failures) {
    const double x = std::gamma_distribution<double>(1 + successes)(random_);
    const double y = std::gamma_distribution<double>(1 + failures)(random_);
    return x / (x + y);
  }
  const World& world_;
  std::mt19937_64 random_;
  Seen seen_;
};

// Worth times the chance of success, for each hour that it takes. A task that is due and must be
// begun soon, to be done by then, goes before all others.
class ValuePerHour : public Scheduler {
 public:
  // knows: the true chances and mean hours of the kinds, in place of those that were seen.
  ValuePerHour(const World& world, bool knows) : world_(world), knows_(knows) {}

  std::size_t choose(std::span<const std::size_t> ready, std::size_t, double now) override {
    return *std::ranges::max_element(ready, {}, [&](std::size_t i) {
      const Task& task = world_.tasks()[i];
      return std::pair(is_tight(task, now), task.worth() * chance(task, now) / hours(task));
    });
  }
  void ended(std::size_t task, std::size_t, bool success, double hours, double) override {
    seen_.add(world_.tasks()[task].kind, success, hours);
  }

 private:
  static constexpr double kTightHours = 6;

  double chance(const Task& task, double now) const {
    return knows_ ? world_.chance(task.kind, now) : seen_.chance(task.kind);
  }
  double hours(const Task& task) const {
    if (task.estimate) return *task.estimate;
    return knows_ ? world_.mean_hours(task.kind) : seen_.mean_hours(task.kind);
  }
  bool is_tight(const Task& task, double now) const {
    if (!task.due) return false;
    const double slack = *task.due - now - hours(task);
    return slack >= 0 && slack < kTightHours;
  }

  const World& world_;
  bool knows_;
  Seen seen_;
};

template <Sorted::Before kBefore>
std::unique_ptr<Scheduler> sorted(const World& world, std::uint64_t,
                                  const std::vector<reward::Setting>&) {
  return std::make_unique<Sorted>(world, kBefore);
}

bool oldest(const Task& a, const Task& b) { return a.created < b.created; }
bool earliest_due(const Task& a, const Task& b) { return a.due && (!b.due || *a.due < *b.due); }
bool priority_oldest(const Task& a, const Task& b) {
  return a.priority != b.priority ? a.priority < b.priority : a.created < b.created;
}
bool priority_newest(const Task& a, const Task& b) {
  return a.priority != b.priority ? a.priority < b.priority : a.created > b.created;
}

using Settings = std::vector<reward::Setting>;
constexpr Entry kEntries[] = {
    {"oldest first", sorted<oldest>},
    {"random",
     [](const World&, std::uint64_t seed, const Settings&) -> std::unique_ptr<Scheduler> {
       return std::make_unique<AtRandom>(~seed);  // other numbers than the world's
     }},
    {"earliest deadline", sorted<earliest_due>},
    {"priority, then oldest", sorted<priority_oldest>},
    {"priority, then newest", sorted<priority_newest>},
    {"Thompson sampling",
     [](const World& world, std::uint64_t seed, const Settings&) -> std::unique_ptr<Scheduler> {
       return std::make_unique<Thompson>(world, ~seed);
     }},
    {"hebb", [](const World& world, std::uint64_t,
                const Settings& settings) { return hebb_scheduler(world, settings); }},
    {"value per hour",
     [](const World& world, std::uint64_t, const Settings&) -> std::unique_ptr<Scheduler> {
       return std::make_unique<ValuePerHour>(world, false);
     }},
    {kOracle,
     [](const World& world, std::uint64_t, const Settings&) -> std::unique_ptr<Scheduler> {
       return std::make_unique<ValuePerHour>(world, true);
     }},
};

}  // namespace

std::span<const Entry> schedulers() { return kEntries; }

}  // namespace hebb::test::week
