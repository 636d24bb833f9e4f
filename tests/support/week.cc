#include "tests/support/week.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "tests/support/week_world.h"

namespace hebb::test::week {

namespace {

constexpr double kLoad = 1.4;  // the hours that all tasks take, of those that the agents have
// So many of the tasks
constexpr double kBacklogShare = .2;    // are there when the week starts,
constexpr double kBacklogHours = 48;    // created up to so many hours before
constexpr double kBlockedShare = .15;   // wait for another,
constexpr std::size_t kBlockedBy = 10;  // one of so many that were created just before
constexpr double kDueShare = .4;        // are due at some time,
constexpr double kEstimatedShare = .6;  // have an estimate.

// Spreads of lognormal variables: standard deviations of the logarithm.
constexpr double kTaskSpread = .5;      // of a task's hours around those of its kind
constexpr double kAttemptSpread = .3;   // of an attempt's around those of its task
constexpr double kEstimateSpread = .4;  // of an estimate around those of its task
constexpr double kDueSpread = .7;

// The chance that an attempt succeeds that begins in the first half of the week, and in the second.
struct Chance {
  double before, after;
};
constexpr std::array<Chance, kKinds> kChances{
    {{.97, .97}, {.9, .9}, {.85, .25}, {.3, .9}, {.6, .6}, {.2, .2}}};
// The shares of these kinds among the tasks.
constexpr std::array<double, kKinds> kKindShares{.25, .25, .15, .1, .15, .1};
// What the tasks of a kind take. Which kind has which of these is drawn for each world.
constexpr std::array<double, kKinds> kMedianHours{.3, .5, .8, 1.2, 2, 4};
// Of P0 to P3: their shares, and the median hours from arrival to due date, beside twice what the
// task takes.
constexpr std::array<double, 4> kPriorityShares{.05, .2, .5, .25};
constexpr std::array<double, 4> kDueHours{12, 18, 27, 40};

using Random = std::mt19937_64;

double uniform(Random& random) { return std::generate_canonical<double, 53>(random); }
double lognormal(Random& random, double median, double spread) {
  return std::lognormal_distribution<double>(std::log(median), spread)(random);
}
std::size_t below(Random& random, std::size_t n) {
  return static_cast<std::size_t>(uniform(random) * static_cast<double>(n));
}

// Which of them, of shares that are 1 in all.
std::size_t draw_one_of(Random& random, std::span<const double> shares) {
  double left = uniform(random);
  std::size_t i = 0;
  while (i + 1 < shares.size() && left >= shares[i]) left -= shares[i++];
  return i;
}

Task draw_task(Random& random, const std::array<double, kKinds>& median_hours) {
  Task task;
  task.kind = draw_one_of(random, kKindShares);
  task.priority = static_cast<int>(draw_one_of(random, kPriorityShares));
  task.hours = lognormal(random, median_hours[task.kind], kTaskSpread);
  task.created =
      uniform(random) < kBacklogShare ? -kBacklogHours * uniform(random) : kHours * uniform(random);
  if (uniform(random) < kEstimatedShare)
    task.estimate = lognormal(random, task.hours, kEstimateSpread);
  if (uniform(random) < kDueShare)
    task.due = task.arrived() + 2 * task.hours +
               lognormal(random, kDueHours.at(static_cast<std::size_t>(task.priority)), kDueSpread);
  return task;
}

// Until it has succeeded, with the attempts that fail, if the week's halves count alike.
double expected_hours(const Task& task) {
  const Chance& chance = kChances[task.kind];
  return task.hours / ((chance.before + chance.after) / 2);
}

}  // namespace

World::World(std::uint64_t seed) : seed_(seed), median_hours_(kMedianHours) {
  Random random(seed);
  std::shuffle(median_hours_.begin(), median_hours_.end(), random);
  for (double work = 0; work < kLoad * kAgents * kHours; work += expected_hours(tasks_.back()))
    tasks_.push_back(draw_task(random, median_hours_));
  std::ranges::sort(tasks_, {}, &Task::created);
  for (std::size_t i = kBlockedBy; i < tasks_.size(); ++i) {
    if (uniform(random) < kBlockedShare) tasks_[i].blocker = i - 1 - below(random, kBlockedBy);
  }
}

double World::chance(std::size_t kind, double at) const {
  return at < kHours / 2 ? kChances.at(kind).before : kChances.at(kind).after;
}

double World::mean_hours(std::size_t kind) const {
  const double variance = kTaskSpread * kTaskSpread + kAttemptSpread * kAttemptSpread;
  return median_hours_.at(kind) * std::exp(variance / 2);
}

Attempt World::attempt(std::size_t task, int number) const {
  std::seed_seq seeds{static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32),
                      static_cast<std::uint32_t>(task), static_cast<std::uint32_t>(number)};
  Random random(seeds);
  const double luck = uniform(random);
  return {lognormal(random, tasks_.at(task).hours, kAttemptSpread), luck};
}

namespace {

// One week as it goes on.
class Run {
 public:
  Run(const World& world, Scheduler& scheduler)
      : world_(world), scheduler_(scheduler), state_(world.tasks().size()) {}

  Figures figures() {
    for (double now = 0; now < kHours; now = next_time()) {
      for (std::size_t agent = 0; agent < kAgents; ++agent) end_at(agent, now);
      while (arrived_ < state_.size() && world_.tasks()[arrived_].arrived() <= now)
        scheduler_.arrived(arrived_++);
      for (std::size_t agent = 0; agent < kAgents; ++agent) begin(agent, now);
    }
    return measure();
  }

 private:
  struct State {
    int attempts = 0;
    bool taken = false;
    std::optional<double> first_taken, done;
  };
  struct Working {
    std::size_t task;
    double from, until;
    bool success;
  };

  double next_time() const {
    double next = arrived_ < state_.size() ? world_.tasks()[arrived_].arrived() : kHours;
    for (const auto& working : working_) {
      if (working) next = std::min(next, working->until);
    }
    return next;
  }

  void end_at(std::size_t agent, double now) {
    auto& working = working_[agent];
    if (!working || working->until > now) return;
    State& state = state_[working->task];
    state.taken = false;
    const double hours = working->until - working->from;
    if (working->success) {
      state.done = now;
    } else {
      wasted_ += hours;
    }
    scheduler_.ended(working->task, agent, working->success, hours, now);
    working.reset();
  }

  std::vector<std::size_t> ready() const {
    std::vector<std::size_t> tasks;
    for (std::size_t i = 0; i < arrived_; ++i) {
      const auto& blocker = world_.tasks()[i].blocker;
      if (!state_[i].taken && !state_[i].done && (!blocker || state_[*blocker].done))
        tasks.push_back(i);
    }
    return tasks;
  }

  void begin(std::size_t agent, double now) {
    if (working_[agent]) return;
    const auto tasks = ready();
    if (tasks.empty()) return;
    const std::size_t task = scheduler_.choose(tasks, agent, now);
    if (!std::ranges::binary_search(tasks, task))
      throw std::logic_error("a task was chosen that cannot be begun");
    State& state = state_[task];
    const Attempt attempt = world_.attempt(task, state.attempts++);
    state.taken = true;
    if (!state.first_taken) state.first_taken = now;
    worked_ += std::min(attempt.hours, kHours - now);
    working_[agent] = {task, now, now + attempt.hours,
                       attempt.luck < world_.chance(world_.tasks()[task].kind, now)};
  }

  Figures measure() const {
    double had = 0, most = 0, due = 0, missed = 0, p0 = 0, p0_hours = 0;
    for (std::size_t i = 0; i < state_.size(); ++i) {
      const Task& task = world_.tasks()[i];
      most += task.worth() * (kHours - task.arrived());
      if (state_[i].done) had += task.worth() * (kHours - *state_[i].done);
      if (task.due && *task.due <= kHours) {
        ++due;
        if (!state_[i].done || *state_[i].done > *task.due) ++missed;
      }
      if (task.priority == 0) {
        ++p0;
        p0_hours += state_[i].first_taken.value_or(kHours) - task.arrived();
      }
    }
    return {had / most, missed / std::max(due, 1.0), wasted_ / worked_,
            p0_hours / std::max(p0, 1.0)};
  }

  const World& world_;
  Scheduler& scheduler_;
  std::vector<State> state_;
  std::array<std::optional<Working>, kAgents> working_;
  std::size_t arrived_ = 0;
  double worked_ = 0, wasted_ = 0;
};

Mean mean_of(const std::vector<double>& values) {
  const auto n = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double x : values) sum += x;
  for (const double x : values) squares += (x - sum / n) * (x - sum / n);
  return {sum / n, n > 1 ? std::sqrt(squares / (n - 1) / n) : 0};
}

}  // namespace

Figures run(const World& world, Scheduler& scheduler) { return Run(world, scheduler).figures(); }

std::vector<Score> compare(const Options& options) {
  if (options.worlds < 1) throw std::invalid_argument("there must be at least one world");
  const auto entries = schedulers();
  std::vector<std::vector<Figures>> figures(entries.size());
  for (int i = 0; i < options.worlds; ++i) {
    const std::uint64_t seed = options.first_seed + static_cast<std::uint64_t>(i);
    const World world(seed);
    for (std::size_t c = 0; c < entries.size(); ++c)
      figures[c].push_back(run(world, *entries[c].make(world, seed, options.settings)));
  }
  const auto oracle = std::ranges::find(entries, std::string_view(kOracle), &Entry::name);
  const auto& best = figures[static_cast<std::size_t>(oracle - entries.begin())];
  std::vector<Score> scores;
  for (std::size_t c = 0; c < entries.size(); ++c) {
    const auto column = [&](double Figures::*member) {
      std::vector<double> values;
      for (const Figures& f : figures[c]) values.push_back(f.*member);
      return values;
    };
    std::vector<double> ratios = column(&Figures::value);
    for (std::size_t i = 0; i < ratios.size(); ++i) ratios[i] /= best[i].value;
    scores.push_back({entries[c].name, mean_of(column(&Figures::value)), mean_of(ratios),
                      mean_of(column(&Figures::missed)), mean_of(column(&Figures::wasted)),
                      mean_of(column(&Figures::p0_hours))});
  }
  return scores;
}

}  // namespace hebb::test::week
