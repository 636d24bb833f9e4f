#include "reward/learned.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include "reward/evidence.h"

namespace hebb::reward {
namespace {

using graph::kNever;
using graph::NodeId;

constexpr std::size_t kReplayed = 500;  // completions
// A task that is completed sooner was filed for work under way: nobody chose it.
constexpr TimeMs kChosenAfter = kMsPerHour;
constexpr std::size_t kSample = 16;  // candidates of each, with the task itself
constexpr int kPasses = 5;           // so that few completions move the multiples far enough
constexpr double kStep = 0.03;       // of a multiple, per unit of the gradient
constexpr double kMostGradient = 0.5;

constexpr std::size_t kExponents = kLearnedExponents.size();
using Logs = std::array<double, kExponents>;  // of the factors, with the exponents that are set

class Replay {
 public:
  explicit Replay(const View& view) : view_(view), nodes_(view.graph.nodes()), kinds_(view.graph) {
    for (std::size_t k = 0; k < kExponents; ++k) {
      const LearnedExponent& exponent = kLearnedExponents[k];
      if (!exponent.is_base_of_power) unit_.*exponent.setting = 1;
      factors_[k] = std::ranges::find(factors(), exponent.factor, &Factor::name)->compute;
    }
    place_.resize(view.graph.node_bound());
    for (NodeId n = 0; n < view.graph.node_bound(); ++n) {
      if (!is_filed(view, kinds_, n)) continue;
      filed_.push_back(n);
      failures_ += nodes_.failed[n];
      if (nodes_.completed_at[n] != kNever) done_.push_back(n);
    }
    const auto before = [&](NodeId a, NodeId b) { return filed_before(view.graph, a, b); };
    if (!std::ranges::is_sorted(filed_, before)) std::ranges::sort(filed_, before);
    for (std::size_t i = 0; i < filed_.size(); ++i) place_[filed_[i]] = i;
    std::ranges::sort(done_, [&](NodeId a, NodeId b) {
      const TimeMs x = nodes_.completed_at[a], y = nodes_.completed_at[b];
      return x != y ? x < y : view_.graph.id(a) > view_.graph.id(b);  // as completed_last()
    });
  }

  Learned run() {
    std::size_t next = 0;  // in the order of filing
    const auto place = [&](NodeId n) { return place_[n]; };
    for (std::size_t i = done_.size() - std::min(kReplayed, done_.size()); i < done_.size();) {
      const TimeMs at = nodes_.completed_at[done_[i]];
      for (; next < filed_.size() && nodes_.created_at[filed_[next]] <= at - kChosenAfter; ++next)
        if (end_of(filed_[next]) >= at) open_.push_back(filed_[next]);
      // Of tasks completed at one instant, none was known to be completed when the next was chosen.
      const std::size_t before = i;
      for (; i < done_.size() && nodes_.completed_at[done_[i]] == at; ++i) {
        const auto it = std::ranges::lower_bound(open_, place_[done_[i]], {}, place);
        if (it == open_.end() || *it != done_[i]) continue;
        add_choice(before, i, static_cast<std::size_t>(it - open_.begin()));
      }
      for (const NodeId n : std::span(done_).subspan(before, i - before)) {
        const auto it = std::ranges::lower_bound(open_, place_[n], {}, place);
        if (it != open_.end() && *it == n) open_.erase(it);
        for (const NodeId c : contexts_of(n)) successes_[c] = {faded(successes_[c], at) + 1, at};
      }
    }
    for (int pass = 0; pass < kPasses; ++pass)
      for (const Choice& choice : choices_) learn_from(choice);
    const double a = view_.policy.success_rate_alpha, b = view_.policy.success_rate_beta;
    const auto successes = static_cast<double>(done_.size());
    learned_.completed = static_cast<std::int64_t>(done_.size());
    learned_.base_rate = (a + successes) / (a + b + successes + static_cast<double>(failures_));
    return learned_;
  }

 private:
  struct Successes {
    double sum = 0;
    TimeMs at = 0;
  };
  struct Candidate {
    Logs logs{};
    double stands_for = 1;  // how many tasks it stands for in the sample
  };
  using Choice = std::vector<Candidate>;  // the task that was completed is the first

  // Until when the task could be chosen. If no success closed it, its last change is the best
  // estimate.
  TimeMs end_of(NodeId n) const {
    if (nodes_.completed_at[n] != kNever) return nodes_.completed_at[n];
    const bool is_closed = is_over(view_.graph.states().name(nodes_.state[n]));
    return is_closed ? nodes_.updated_at[n] : std::numeric_limits<TimeMs>::max();
  }

  double faded(const Successes& s, TimeMs at) const {
    const double half_life = view_.policy.evidence_half_life_days * static_cast<double>(kMsPerDay);
    return s.sum * std::exp2(-ms_between(s.at, at) / half_life);
  }

  const std::vector<NodeId>& contexts_of(NodeId n) {
    const auto [it, is_new] = contexts_.try_emplace(n);
    if (is_new) evidence_contexts(view_, n, nodes_.created_at[n], it->second);
    return it->second;
  }

  // The factors of a task when `i` tasks of done_ had been completed.
  Logs logs_of(NodeId n, std::size_t i, TimeMs at) {
    Evidence e;
    e.now = at;
    e.created_at = e.last_activity = nodes_.created_at[n];
    e.priority = given_priority(view_, kinds_, n);
    if (nodes_.reopened_at[n] < at) e.last_activity = std::max(e.created_at, nodes_.reopened_at[n]);
    const auto last = std::min(i, static_cast<std::size_t>(view_.policy.order_proximity_tasks));
    for (std::size_t k = 1; k <= last; ++k) {
      const double apart =
          static_cast<double>(place_[n]) - static_cast<double>(place_[done_[i - k]]);
      const double between = std::max(std::abs(apart) - 1, 0.0);
      if (k == 1 || between < e.filed_between) e.filed_between = between;
    }
    if (i > 0) {
      e.anchor = nodes_.created_at[done_[i - 1]];
      e.completed_at = nodes_.completed_at[done_[i - 1]];
      e.overlap = overlap(contexts_of(n), contexts_of(done_[i - 1]));
    }
    set_near(e);
    ExactSum successes;
    for (const NodeId c : contexts_of(n)) successes.add(faded(successes_[c], at));
    e.successes = successes.value();
    Logs logs{};
    for (std::size_t k = 0; k < kExponents; ++k) {
      const LearnedExponent& exponent = kLearnedExponents[k];
      const double log = std::log(factors_[k](unit_, e));
      logs[k] = exponent.is_base_of_power ? log : view_.policy.*exponent.setting * log;
    }
    return logs;
  }

  // Adds the choice of the i-th task of done_, which stands at `chosen` among the open ones.
  // before: how many were done by then.
  void add_choice(std::size_t before, std::size_t i, std::size_t chosen) {
    const TimeMs at = nodes_.completed_at[done_[i]];
    const std::size_t others = open_.size() - 1, taken = std::min(others, kSample - 1);
    if (others == 0) return;
    Choice& choice = choices_.emplace_back();
    choice.push_back({logs_of(open_[chosen], before, at), 1});
    const double apart = static_cast<double>(others) / static_cast<double>(taken);
    // The place of the first varies, so that each task is sometimes in the sample.
    const double shift = (static_cast<double>(i % kSample) + 0.5) / static_cast<double>(kSample);
    for (std::size_t j = 0; j < taken; ++j) {
      auto other = static_cast<std::size_t>((static_cast<double>(j) + shift) * apart);
      other += other >= chosen;
      if (end_of(open_[other]) >= at) choice.push_back({logs_of(open_[other], before, at), apart});
    }
  }

  // One step towards exponents that make the chosen task likelier.
  void learn_from(const Choice& choice) {
    std::vector<double> chances;
    double most = -std::numeric_limits<double>::infinity(), sum = 0;
    for (const Candidate& c : choice) {
      double log = std::log(c.stands_for);
      for (std::size_t k = 0; k < kExponents; ++k)
        log += learned_.*kLearnedExponents[k].multiple * c.logs[k];
      chances.push_back(log);
      most = std::max(most, log);
    }
    for (double& chance : chances) sum += chance = std::exp(chance - most);
    for (std::size_t k = 0; k < kExponents; ++k) {
      const LearnedExponent& exponent = kLearnedExponents[k];
      double gradient = choice.front().logs[k];
      for (std::size_t c = 0; c < choice.size(); ++c)
        gradient -= chances[c] / sum * choice[c].logs[k];
      double& multiple = learned_.*exponent.multiple;
      multiple += kStep * std::clamp(gradient, -kMostGradient, kMostGradient);
      multiple = std::clamp(multiple - exponent.pull * (multiple - 1), kLeastLearned, kMostLearned);
    }
  }

  const View& view_;
  const graph::NodeColumns& nodes_;
  const KnownNames kinds_;
  Policy unit_ = view_.policy;  // with exponents of 1
  std::array<double (*)(const Policy&, const Evidence&), kExponents> factors_{};
  std::vector<NodeId> filed_, done_;  // in the order of filing; of completion
  std::vector<std::size_t> place_;    // by NodeId, in filed_
  std::uint64_t failures_ = 0;
  std::vector<NodeId> open_;  // in the order of filing
  std::unordered_map<NodeId, std::vector<NodeId>> contexts_;
  std::unordered_map<NodeId, Successes> successes_;  // by context
  std::vector<Choice> choices_;
  Learned learned_;
};

}  // namespace

bool is_due(const std::optional<Learned>& before, std::size_t completed) {
  if (completed < kLearnsFrom) return false;
  return !before || static_cast<double>(completed) >= 1.25 * static_cast<double>(before->completed);
}

std::optional<Learned> learn(const View& view, const std::optional<Learned>& before) {
  const KnownNames kinds(view.graph);
  std::size_t completed = 0;
  for (NodeId n = 0; n < view.graph.node_bound(); ++n)
    completed += view.graph.nodes().completed_at[n] != kNever && is_filed(view, kinds, n);
  if (!is_due(before, completed)) return std::nullopt;
  return Replay(view).run();
}

Policy in_force(const Policy& set, const std::optional<Learned>& learned) {
  Policy policy = set;
  if (!set.learn || !learned) return policy;
  for (const LearnedExponent& exponent : kLearnedExponents) {
    double& setting = policy.*exponent.setting;
    // In a log of another version it may be beyond them.
    const double multiple = std::clamp((*learned).*exponent.multiple, kLeastLearned, kMostLearned);
    setting = exponent.is_base_of_power ? std::pow(setting, multiple) : setting * multiple;
  }
  policy.base_rate = learned->base_rate;
  return policy;
}

}  // namespace hebb::reward
