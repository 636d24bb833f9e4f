// What happens in one simulated week (week.h), and what a way to choose is asked and told.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "reward/policy.h"

namespace hebb::test::week {

inline constexpr double kHours = 120;  // of the week; all times are hours since its start
inline constexpr std::size_t kAgents = 4;
inline constexpr std::size_t kKinds = 6;
// What a task is worth, by its priority.
inline constexpr std::array<double, 4> kWorth{8, 4, 2, 1};

struct Task {
  std::size_t kind = 0;
  int priority = 2;                // 0 (most urgent) to 3
  double created = 0;              // below 0: it is there when the week starts
  std::optional<double> estimate;  // how many hours it is said to take
  std::optional<double> due;
  std::optional<std::size_t> blocker;  // a task with a smaller number, to be done before
  double hours = 0;                    // what its attempts take about; hidden from those who choose

  double arrived() const { return created < 0 ? 0 : created; }
  double worth() const { return kWorth.at(static_cast<std::size_t>(priority)); }
};

struct Attempt {
  double hours = 0;
  double luck = 0;  // it succeeds if this is below the chance of its kind when it begins
};

class World {
 public:
  explicit World(std::uint64_t seed);

  const std::vector<Task>& tasks() const { return tasks_; }  // by time of creation
  // Hidden from those who choose, the oracle apart.
  double chance(std::size_t kind, double at) const;
  double mean_hours(std::size_t kind) const;
  // number: how many attempts of this task there were before.
  Attempt attempt(std::size_t task, int number) const;

 private:
  std::uint64_t seed_;
  std::array<double, kKinds> median_hours_;
  std::vector<Task> tasks_;
};

// A way to choose the next task. It knows the world's tasks from when they arrive, without what is
// hidden.
class Scheduler {
 public:
  virtual ~Scheduler() = default;
  virtual void arrived(std::size_t) {}
  // One of those that can be begun now: they have arrived, nobody works on them, and their blocker
  // is done. There is at least one; they are in the order of creation.
  virtual std::size_t choose(std::span<const std::size_t> ready, std::size_t agent, double now) = 0;
  virtual void ended(std::size_t, std::size_t /*agent*/, bool /*success*/, double /*hours*/,
                     double /*now*/) {}
};

struct Figures {
  double value = 0, missed = 0, wasted = 0, p0_hours = 0;  // as in Score
};
Figures run(const World& world, Scheduler& scheduler);

struct Entry {
  const char* name;
  std::unique_ptr<Scheduler> (*make)(const World&, std::uint64_t seed,
                                     const std::vector<reward::Setting>&);
};
inline constexpr const char* kOracle = "oracle";
std::span<const Entry> schedulers();
std::unique_ptr<Scheduler> hebb_scheduler(const World&, const std::vector<reward::Setting>&);

}  // namespace hebb::test::week
