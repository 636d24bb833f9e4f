#include "tests/support/simulate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>

#include <fmt/format.h>

#include "engine/fold/resolve.h"
#include "engine/rank/ranked.h"
#include "engine/study/backtest.h"

namespace hebb::test {

using namespace study;
using reward::Policy;

namespace {

constexpr std::size_t kDimension = 16;
constexpr double kVectorNoise = 0.25;    // standard deviation of each vector component
constexpr double kStructureShare = 0.5;  // share of the tasks that have a RESOLVES edge
constexpr TimeMs kStart = 1'700'000'000'000;
constexpr double kThompsonDiscount = 0.98;  // per step, in S3

enum class Scenario { s1, s2, s3, s4 };
constexpr std::array<const char*, 4> kScenarioNames{"S1", "S2", "S3", "S4"};

using Random = std::mt19937_64;
double uniform(Random& random) { return std::generate_canonical<double, 53>(random); }

// Categories, their centres and success probabilities, and the tasks. With the same seed all
// rankings get the same ones, whatever they choose.
class World {
 public:
  World(const SimulateOptions& o, Scenario scenario, std::uint64_t seed)
      : scenario_(scenario), tasks_(seed), luck_(seed ^ 0x9E3779B97F4A7C15u), shuffle_(seed + 1) {
    const auto n = static_cast<std::size_t>(o.categories);
    for (std::size_t c = 0; c < n; ++c) {
      p_.push_back(scenario == Scenario::s4
                       ? (c == 0 ? 0.05 : 0.6)
                       : 0.1 + 0.8 * static_cast<double>(c) /
                                   static_cast<double>(std::max<std::size_t>(1, n - 1)));
    }
    std::shuffle(p_.begin(), p_.end(), shuffle_);
    std::normal_distribution<double> normal;
    for (std::size_t c = 0; c < n; ++c) {
      std::vector<double> centre(kDimension);
      for (double& x : centre) x = normal(tasks_);
      const double length =
          std::sqrt(std::inner_product(centre.begin(), centre.end(), centre.begin(), 0.0));
      for (double& x : centre) x /= length;
      centres_.push_back(std::move(centre));
    }
  }

  void half_way() {
    if (scenario_ == Scenario::s3) std::shuffle(p_.begin(), p_.end(), shuffle_);
  }
  double p(std::size_t category) const { return p_[category]; }
  std::size_t categories() const { return p_.size(); }
  bool succeeds(std::size_t category) { return uniform(luck_) < p_[category]; }
  const std::vector<double>& worst_centre() const {
    return centres_[static_cast<std::size_t>(std::min_element(p_.begin(), p_.end()) - p_.begin())];
  }

  struct Task {
    std::size_t category = 0;
    std::vector<float> vector;
    double structure = 0;  // weight of its inbound RESOLVES edge; 0: it has none
  };
  Task next() {
    Task t;
    t.category = static_cast<std::size_t>(uniform(tasks_) * static_cast<double>(p_.size()));
    std::normal_distribution<double> noise(0, kVectorNoise);
    for (const double x : centres_[t.category])
      t.vector.push_back(static_cast<float>(x + noise(tasks_)));
    const double share = uniform(tasks_), weight = 0.5 + uniform(tasks_);
    if (share < kStructureShare) t.structure = weight;
    return t;
  }

 private:
  Scenario scenario_;
  Random tasks_, luck_, shuffle_;
  std::vector<double> p_;
  std::vector<std::vector<double>> centres_;
};

// Chooses the next of the open tasks.
class Scheduler {
 public:
  virtual ~Scheduler() = default;
  virtual void add(const World::Task& task, TimeMs at) = 0;  // tasks are numbered from 0
  virtual std::size_t choose(TimeMs at) = 0;                 // the number of an open task
  virtual void outcome(std::size_t task, bool success, TimeMs at) = 0;
};

// A ranking of the engine. It gets the events, but not the probabilities.
class Ranking : public Scheduler {
 public:
  Ranking(const World& world, Policy fold_by, Policy rank_by, bool learns, bool recalibrates,
          bool stuck)
      : state_(state_with(fold_by)),
        policy_(std::move(rank_by)),
        learns_(learns),
        recalibrates_(recalibrates) {
    if (stuck) stuck_at_ = world.worst_centre();
    for (std::size_t c = 0; c < world.categories(); ++c)
      node(fmt::format("category-{}", c), "CATEGORY", {});
    node("change", "CHANGE", {});
  }

  // All tasks were filed at the start; each is opened when its turn in the queue comes.
  void add(const World::Task& t, TimeMs at) override {
    const std::string id = fmt::format("task-{}", count_++);
    node(id, "TASK", t.vector, "DEFERRED");
    link(id, "IN_CATEGORY", fmt::format("category-{}", t.category), 1, at);
    if (t.structure > 0) link("change", "RESOLVES", id, t.structure, at);
    Event e;
    e.at = at;
    e.subject = id;
    e.payload = StateChange{std::string(kOpen)};
    take(std::move(e));
  }

  std::size_t choose(TimeMs at) override {
    rank(at);
    if (recalibrates_) {
      Event e;
      e.at = at;
      e.subject = kFrontier;
      e.payload = guides(state_, ranked_);
      take(std::move(e));
      rank(at);
    }
    return std::stoul(std::string(state_.graph().id(ranked_.front().node).substr(5)));
  }

  void outcome(std::size_t task, bool success, TimeMs at) override {
    Event e;
    e.at = at;
    e.subject = fmt::format("task-{}", task);
    OutcomeSignal signal;
    signal.outcome = success ? OutcomeKind::success : OutcomeKind::failure;
    e.payload = std::move(signal);
    if (!learns_ && !success) return;
    take(std::move(e));
  }

 private:
  void rank(TimeMs at) {
    const Policy policy = reward::in_force(policy_, state_.facts().learned);
    const reward::TypeTable types(policy, state_.graph().edge_types());
    const reward::View view{state_.graph(), state_.vectors(), policy, types, kFrontierNode};
    const reward::Ranking ranking(view, at);
    reward::Focus focus = ranking.focus();
    if (!stuck_at_.empty()) focus.vector = stuck_at_;
    ranked_ = ranking.score(view, focus);
    std::sort(ranked_.begin(), ranked_.end(),
              [&](const reward::Ranked& a, const reward::Ranked& b) {
                return reward::goes_first(view.graph, a, b);
              });
  }
  void node(const std::string& id, std::string type, std::vector<float> vector,
            std::optional<std::string> state = {}) {
    NodeUpsert upsert;
    upsert.type = std::move(type);
    upsert.state = std::move(state);
    upsert.vector = std::move(vector);
    Event e;
    e.at = kStart;
    e.subject = id;
    e.payload = std::move(upsert);
    take(std::move(e));
  }
  void link(const std::string& source, const char* type, const std::string& target, double weight,
            TimeMs at) {
    Event e;
    e.at = at;
    e.subject = source;
    e.payload = Link{target, type, weight, {}};
    take(std::move(e));
  }
  void take(Event e) {
    e.key = fmt::format("7:{:020}", ++events_);
    if (const auto refusal = resolve(state_, e)) throw std::logic_error(refusal->detail);
    state_.apply(e);
  }

  State state_;
  Policy policy_;
  bool learns_, recalibrates_;
  std::vector<double> stuck_at_;
  std::size_t count_ = 0, events_ = 0;
  std::vector<reward::Ranked> ranked_;
};

// Beta-Bernoulli Thompson sampling (Thompson 1933). It is told the categories.
class Thompson : public Scheduler {
 public:
  Thompson(const World& world, double discount, std::uint64_t seed)
      : good_(world.categories(), 0),
        bad_(world.categories(), 0),
        discount_(discount),
        random_(seed * 7919 + 17) {}

  void add(const World::Task& task, TimeMs) override {
    category_.push_back(task.category);
    open_.push_back(true);
  }
  std::size_t choose(TimeMs) override {
    std::vector<double> sample;
    for (std::size_t c = 0; c < good_.size(); ++c)
      sample.push_back(beta(1 + good_[c], 1 + bad_[c]));
    std::size_t best = open_.size();
    for (std::size_t t = 0; t < open_.size(); ++t) {
      if (open_[t] && (best == open_.size() || sample[category_[t]] > sample[category_[best]]))
        best = t;
    }
    return best;
  }
  void outcome(std::size_t task, bool success, TimeMs) override {
    for (double& x : good_) x *= discount_;
    for (double& x : bad_) x *= discount_;
    ++(success ? good_ : bad_)[category_[task]];
    if (success) open_[task] = false;
  }

 private:
  double beta(double a, double b) {
    const double x = std::gamma_distribution<double>(a)(random_);
    const double y = std::gamma_distribution<double>(b)(random_);
    return x / (x + y);
  }
  std::vector<double> good_, bad_;
  double discount_;
  Random random_;
  std::vector<std::size_t> category_;
  std::vector<bool> open_;
};

double run_once(const SimulateOptions& o, World& world, Scheduler& scheduler) {
  const auto step_ms = static_cast<TimeMs>(o.step_minutes * 60'000);
  std::vector<World::Task> tasks;
  std::vector<int> open(world.categories(), 0);
  const auto arrive = [&](TimeMs at) {
    tasks.push_back(world.next());
    ++open[tasks.back().category];
    scheduler.add(tasks.back(), at);
  };
  TimeMs now = kStart;
  for (int i = 0; i < o.tasks; ++i) arrive(now);
  double regret = 0;
  for (int step = 0; step < o.steps; ++step) {
    if (step == o.steps / 2) world.half_way();
    now += step_ms;
    const std::size_t chosen = scheduler.choose(now);
    const std::size_t category = tasks[chosen].category;
    double best = 0;
    for (std::size_t c = 0; c < open.size(); ++c) {
      if (open[c] > 0) best = std::max(best, world.p(c));
    }
    regret += best - world.p(category);
    const bool success = world.succeeds(category);
    scheduler.outcome(chosen, success, now);
    if (!success) continue;
    --open[category];
    arrive(now);
  }
  return regret;
}

struct Entry {
  const char* name;
  std::unique_ptr<Scheduler> (*make)(const World&, const Policy& learned, const Policy& seed,
                                     Scenario, std::uint64_t);
};

constexpr Entry kEntries[] = {
    {"baseline formula",
     [](const World& w, const Policy& learned, const Policy&, Scenario s,
        std::uint64_t) -> std::unique_ptr<Scheduler> {
       const Policy formula = without_decay(formula_only(learned));
       return std::make_unique<Ranking>(w, formula, formula, false, false, s == Scenario::s2);
     }},
    {"baseline, own output",
     [](const World& w, const Policy&, const Policy& seed, Scenario s,
        std::uint64_t) -> std::unique_ptr<Scheduler> {
       return std::make_unique<Ranking>(w, seed, seed, true, true, s == Scenario::s2);
     }},
    {"hebb",
     [](const World& w, const Policy& learned, const Policy&, Scenario s,
        std::uint64_t) -> std::unique_ptr<Scheduler> {
       return std::make_unique<Ranking>(w, learned, learned, true, false, s == Scenario::s2);
     }},
    {"Thompson sampling",
     [](const World& w, const Policy&, const Policy&, Scenario s,
        std::uint64_t seed) -> std::unique_ptr<Scheduler> {
       return std::make_unique<Thompson>(w, s == Scenario::s3 ? kThompsonDiscount : 1.0, seed);
     }},
};

}  // namespace

std::vector<SimulateScore> simulate(const SimulateOptions& o) {
  if (o.seeds < 1 || o.steps < 1 || o.tasks < 1 || o.categories < 1 || !(o.step_minutes > 0)) {
    throw std::invalid_argument("seeds, steps, tasks, categories and step_minutes must be above 0");
  }
  Policy learned = Policy::learned(), seed = Policy::seed();
  for (const auto& [key, value] : o.settings) {
    reward::set(learned, key, value);
    if (about_types(key)) reward::set(seed, key, value);
  }
  reward::check(learned);
  const std::size_t total =
      std::size(kEntries) * kScenarioNames.size() * static_cast<std::size_t>(o.seeds);
  std::size_t done = 0;
  std::vector<SimulateScore> scores;
  for (const Entry& entry : kEntries) {
    for (std::size_t s = 0; s < kScenarioNames.size(); ++s) {
      double sum = 0, squares = 0;
      for (int i = 0; i < o.seeds; ++i) {
        const auto number = o.first_seed + static_cast<std::uint64_t>(i);
        World world(o, static_cast<Scenario>(s), number);
        const auto scheduler = entry.make(world, learned, seed, static_cast<Scenario>(s), number);
        const double regret = run_once(o, world, *scheduler);
        sum += regret;
        squares += regret * regret;
        if (o.progress) o.progress(++done, total);
      }
      const double n = o.seeds, mean = sum / n;
      const double variance = n > 1 ? std::max(0.0, (squares - n * mean * mean) / (n - 1)) : 0;
      scores.push_back({entry.name, kScenarioNames[s], mean, std::sqrt(variance / n)});
    }
  }
  return scores;
}

}  // namespace hebb::test
