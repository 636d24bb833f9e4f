#include "study/napfd.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <unordered_map>

#include "engine/fold/resolve.h"
#include "engine/fold/state.h"
#include "reward/presets.h"
#include "study/rankings.h"

namespace hebb::study {

namespace {

using Rows = std::vector<const Verdict*>;

// Puts the tests of a cycle in order; then is told how they came out.
class Ordering {
 public:
  virtual ~Ordering() = default;
  virtual void order(Rows& cycle) = 0;
  virtual void learn(const Rows& /*cycle: as it stands in the file*/) {}
};

// The engine, with tests as its tasks.
class Hebb : public Ordering {
 public:
  explicit Hebb(const reward::Policy& policy) : state_(state_with(policy)) {}

  void order(Rows& cycle) override {
    now_ = std::max(now_, (*std::min_element(cycle.begin(), cycle.end(), [](auto* a, auto* b) {
                            return a->at < b->at;
                          }))->at);
    for (const Verdict* row : cycle) add(row->test);
    const reward::View view = state_.view();
    const auto ranked = reward::Ranking(view, now_).all(view.graph);
    places_.assign(state_.graph().node_bound(), 0);
    for (std::size_t i = 0; i < ranked.size(); ++i) places_[ranked[i].node] = i;
    std::stable_sort(cycle.begin(), cycle.end(),
                     [&](auto* a, auto* b) { return place(*a) < place(*b); });
  }

  void learn(const Rows& cycle) override {
    Rows in_time = cycle;
    std::stable_sort(in_time.begin(), in_time.end(),
                     [](auto* a, auto* b) { return a->at < b->at; });
    for (const Verdict* row : in_time) {
      now_ = std::max(now_, row->at);
      OutcomeSignal signal;
      signal.outcome = row->failed ? OutcomeKind::failure : OutcomeKind::success;
      take(row->test, std::move(signal));
    }
  }

 private:
  std::size_t place(const Verdict& row) const { return places_[*state_.find(row.test)]; }

  void add(const std::string& test) {
    if (state_.find(test)) return;
    NodeUpsert node;
    node.type = "TEST";
    node.state = std::string(kOpen);
    take(test, std::move(node));
  }

  void take(const std::string& subject, Payload payload) {
    Event e;
    e.at = now_;
    e.subject = subject;
    e.key = event_key(payload, std::to_string(++events_));
    e.payload = std::move(payload);
    if (!resolve(state_, e)) state_.apply(e);
  }

  State state_;
  std::vector<std::size_t> places_;  // by NodeId
  TimeMs now_ = 0;
  std::size_t events_ = 0;
};

// By what a test's verdicts so far are worth, the most first; equal ones by name.
class ByVerdicts : public Ordering {
 public:
  // Verdicts of one test, the latest last; true: failed.
  using Worth = double (*)(const std::vector<bool>& verdicts);
  explicit ByVerdicts(Worth worth) : worth_(worth) {}

  void order(Rows& cycle) override {
    std::unordered_map<std::string, double> worth;
    for (const Verdict* row : cycle) worth.try_emplace(row->test, worth_(verdicts_[row->test]));
    std::stable_sort(cycle.begin(), cycle.end(), [&](auto* a, auto* b) {
      const double x = worth.at(a->test), y = worth.at(b->test);
      return x != y ? x > y : a->test < b->test;
    });
  }

  void learn(const Rows& cycle) override {
    for (const Verdict* row : cycle) verdicts_[row->test].push_back(row->failed);
  }

 private:
  Worth worth_;
  std::unordered_map<std::string, std::vector<bool>> verdicts_;
};

// The last four one after the other, as the paper's heuristic looks at them; one that is not there
// counts as failed.
double last_verdicts(const std::vector<bool>& verdicts) {
  double worth = 0;
  for (std::size_t back = 1; back <= 4; ++back) {
    const bool failed = verdicts.size() < back || verdicts[verdicts.size() - back];
    worth = 2 * worth + (failed ? 1 : 0);
  }
  return worth;
}

// Failures among the runs, each run counting .9 of the next one, beginning with one failure in
// three.
double decayed_rate(const std::vector<bool>& verdicts) {
  double failures = 0, runs = 0;
  for (const bool failed : verdicts) {
    failures = 0.9 * failures + (failed ? 1 : 0);
    runs = 0.9 * runs + 1;
  }
  return (failures + 1) / (runs + 3);
}

// What nobody can know: failing tests first, the shortest of them first of all.
class Oracle : public Ordering {
 public:
  void order(Rows& cycle) override {
    std::stable_sort(cycle.begin(), cycle.end(), [](auto* a, auto* b) {
      return a->failed != b->failed ? a->failed : a->duration < b->duration;
    });
  }
};

class RandomOrder : public Ordering {
 public:
  void order(Rows& cycle) override {
    for (std::size_t i = cycle.size(); i > 1; --i) std::swap(cycle[i - 1], cycle[bits_() % i]);
  }

 private:
  std::mt19937_64 bits_{1};
};

struct Named {
  std::string name;
  std::unique_ptr<Ordering> ordering;
  int times = 1;
};

reward::Policy tests_policy(const std::vector<reward::Setting>& settings) {
  reward::Policy policy = reward::from_toml(reward::preset("tests").toml);
  for (const auto& [key, value] : settings) reward::set(policy, key, value);
  reward::check(policy);
  return policy;
}

}  // namespace

double napfd(std::span<const Verdict* const> order, double budget) {
  double all = 0, used = 0, failures = 0, found = 0, places = 0, run = 0;
  for (const Verdict* row : order) {
    all += row->duration;
    failures += row->failed ? 1 : 0;
  }
  if (failures == 0) return 1;
  for (const Verdict* row : order) {
    if (used + row->duration > all * budget) continue;
    used += row->duration;
    ++run;
    if (!row->failed) continue;
    ++found;
    places += run;
  }
  const double share = found / failures, n = static_cast<double>(order.size());
  return share - places / (failures * n) + share / (2 * n);
}

NapfdResult measure_napfd(std::span<const Verdict> rows, const NapfdOptions& options) {
  std::vector<Named> orderings;
  orderings.push_back({"random", std::make_unique<RandomOrder>(), std::max(1, options.shuffles)});
  orderings.push_back({"last verdicts first", std::make_unique<ByVerdicts>(last_verdicts)});
  orderings.push_back({"decayed failure rate", std::make_unique<ByVerdicts>(decayed_rate)});
  orderings.push_back(
      {"hebb, preset tests", std::make_unique<Hebb>(tests_policy(options.settings))});
  orderings.push_back({"oracle: failing first", std::make_unique<Oracle>()});

  std::map<std::int64_t, Rows> cycles;
  std::unordered_map<std::string, int> tests;
  NapfdResult result;
  for (const Verdict& row : rows) {
    cycles[row.cycle].push_back(&row);
    tests.try_emplace(row.test);
    result.failed += row.failed;
  }
  result.verdicts = rows.size();
  result.tests = tests.size();
  result.cycles = cycles.size();
  result.budgets = options.budgets;
  for (const auto& o : orderings) {
    result.scores.push_back({o.name, std::vector<double>(options.budgets.size(), 0)});
  }
  std::size_t done = 0;
  for (const auto& [number, cycle] : cycles) {
    for (std::size_t o = 0; o < orderings.size(); ++o) {
      const auto& [name, ordering, times] = orderings[o];
      for (int i = 0; i < times; ++i) {
        Rows ordered = cycle;
        ordering->order(ordered);
        for (std::size_t b = 0; b < options.budgets.size(); ++b) {
          result.scores[o].napfd[b] += napfd(ordered, options.budgets[b]) / times;
        }
      }
      ordering->learn(cycle);
    }
    if (options.progress) options.progress(++done, cycles.size());
  }
  for (auto& score : result.scores) {
    for (double& x : score.napfd) x /= static_cast<double>(std::max<std::size_t>(1, cycles.size()));
  }
  return result;
}

}  // namespace hebb::study
