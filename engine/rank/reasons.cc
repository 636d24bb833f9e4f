#include "engine/rank/reasons.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

namespace hebb {

using graph::EdgeId;
using graph::NodeId;
using graph::TimeMs;

namespace {

constexpr std::size_t kWordsMost = 3;
constexpr double kCounts = 0.0953;  // ln 1.1: the least strength of a reason

bool counts(double strength) { return std::abs(strength) >= kCounts; }

}  // namespace

void MeanFactors::add(const reward::Factors& f) {
  count_ += 1;
  semantic_.add(f.semantic);
  structural_.add(f.structural);
  const auto factors = reward::factors();
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (!factors[i].against_mean) continue;
    // The logarithm of a factor that is 0 has to have an end.
    logs_[i].add(std::log(std::max(f.*factors[i].value, std::numeric_limits<double>::min())));
  }
}

Reasons::Reasons(const reward::View& view, const reward::Ranking& ranking,
                 const reward::Focus& focus, const MeanFactors& mean, bool near_given)
    : view_(view),
      ranking_(ranking),
      focus_(focus),
      mean_(mean),
      now_(ranking.now()),
      near_given_(near_given),
      kinds_(view.graph) {}

std::vector<std::string> Reasons::of(NodeId n, const reward::Factors& factors) {
  n_ = n;
  f_ = factors;
  seen_ = ranking_.evidence_of(view_, focus_, n);
  std::vector<Reason> all;
  const auto add = [&](Reason reason) {
    if (!reason.words.empty() && counts(reason.strength)) all.push_back(std::move(reason));
  };
  const bool is_test = seen_.is_test != 0;
  if (view_.graph.nodes().pinned[n] != 0) add({std::numeric_limits<double>::infinity(), "pinned"});
  if (!is_test) {
    add(semantic());
    add(structural());
  }
  for (std::size_t i = 0; i < reward::factors().size(); ++i) {
    const reward::Factor& factor = reward::factors()[i];
    if (is_test && !factor.of_tests) continue;
    if (factor.value == &reward::Factors::reward) {
      add(rewarded());
    } else if (factor.value == &reward::Factors::success_rate) {
      add(contexts());
    } else if (factor.value == &reward::Factors::failure_penalty) {
      add(is_test ? failures_of_test() : own_outcomes());
    } else {
      add(of_factor(i));
    }
  }
  std::stable_sort(all.begin(), all.end(), [](const Reason& a, const Reason& b) {
    return std::abs(a.strength) > std::abs(b.strength);
  });
  std::vector<std::string> words;
  for (Reason& reason : all) {
    if (words.size() < kWordsMost) words.push_back(std::move(reason.words));
  }
  return words;
}

// Logarithm of how much larger the base is than it would be if `part`, which enters it with
// `weight`, had its mean.
double Reasons::lift(double weight, double part, double mean) const {
  return std::log(f_.base / (f_.base - weight * (part - mean)));
}

Reasons::Reason Reasons::of_factor(std::size_t i) const {
  const reward::Factor& factor = reward::factors()[i];
  const double strength = std::log(f_.*factor.value) - (factor.against_mean ? mean_.log(i) : 0);
  if (factor.reason != nullptr) return {strength, factor.reason(view_.graph, seen_, strength)};
  return {strength, std::string(strength > 0 ? factor.words.raises : factor.words.lowers)};
}

Reasons::Reason Reasons::semantic() const {
  const double strength = lift(view_.policy.semantic_weight, f_.semantic, mean_.semantic());
  if (f_.semantic == 0) return {};
  const std::string_view what = near_given_ ? "what was asked for" : "recent work";
  return {strength, fmt::format("{} {}", strength > 0 ? "near" : "far from", what)};
}

Reasons::Reason Reasons::structural() const {
  const double strength = lift(view_.policy.structural_weight, f_.structural, mean_.structural());
  if (strength <= 0)
    return {strength, f_.structural == 0 ? "nothing links to it" : "weak links to it"};
  const NodeId source = seen_.linked_from;
  const auto id = source == graph::kNoNode ? std::string_view() : view_.graph.id(source);
  return {strength, fmt::format("linked from {}", id)};
}

// Names the source of the strongest reward; of several the smallest id.
Reasons::Reason Reasons::rewarded() const {
  const double strength = std::log(f_.reward);
  if (!counts(strength)) return {};
  const double half_life_ms =
      view_.policy.reward_half_life_hours * static_cast<double>(reward::kMsPerHour);
  std::string_view source;
  double most = 0;
  for (const EdgeId e : view_.graph.in_edges(n_)) {
    if (view_.graph.type(e) != kinds_.reward_positive) continue;
    const double w = reward::faded(view_, e, now_, half_life_ms);
    const std::string_view id = view_.graph.id(view_.graph.source(e));
    if (w > most || (w > 0 && w == most && id < source)) source = id;
    most = std::max(most, w);
  }
  return {strength, fmt::format("rewarded by {}", source)};
}

// Names the context with the most evidence for the task, or against it. If several have as much,
// the smallest id, because node numbers depend on the history of the graph.
Reasons::Reason Reasons::contexts() {
  const double strength = std::log(f_.success_rate / own_rate());
  if (!counts(strength)) return {};
  std::string_view name;
  double most = 0;
  std::vector<NodeId> targets;
  reward::contexts(view_, n_, now_, targets);
  for (const NodeId c : targets) {
    const auto& seen = evidence_of(c);
    const double value = strength > 0 ? seen.first : seen.second;
    const std::string_view id = view_.graph.id(c);
    if (value > most || (value > 0 && value == most && id < name)) name = id;
    most = std::max(most, value);
  }
  if (name.empty()) return {};
  return {strength, fmt::format("{} in {}", strength > 0 ? "successes" : "failures", name)};
}

// Cached, because many tasks share a context.
const std::pair<double, double>& Reasons::evidence_of(NodeId context) {
  const auto [at, is_new] = evidence_.try_emplace(context);
  if (is_new) {
    const auto seen = ranking_.context(view_, context);
    at->second = {seen.successes.value(), seen.failures.value()};
  }
  return at->second;
}

double Reasons::own_rate() const {
  return reward::rate(view_.policy, seen_.own_successes, seen_.own_failures);
}

// Penalty and evidence together. The penalty's exponent is the number of its failures, after
// decay.
Reasons::Reason Reasons::own_outcomes() const {
  const double penalty = std::log(f_.failure_penalty);
  const double strength = penalty + std::log(own_rate());
  if (strength == 0) return {};
  if (view_.policy.untried_failures > 0 && reward::untried(view_, kinds_, n_))
    return {strength, "no outcome yet"};
  // Where the policy makes failures draw attention, they lift the task.
  if (strength > 0 && f_.failure_penalty <= 1) return {strength, "succeeded before"};
  return failed(strength, penalty == 0 ? 0 : penalty / std::log(view_.policy.failure_penalty));
}

Reasons::Reason Reasons::failures_of_test() const {
  const double strength = std::log(f_.failure_penalty);
  if (strength == 0) return {};
  if (reward::untried(view_, kinds_, n_)) return {strength, "no outcome yet"};
  return failed(strength, strength / std::log(view_.policy.test_failure_factor));
}

// held: how many failures count.
Reasons::Reason Reasons::failed(double strength, double held) const {
  const auto& c = view_.graph.nodes();
  const auto count = c.failed[n_];
  if (count == 0) return {strength, fmt::format("counts as failed {:.0f}x", held)};  // by a link
  std::string words = fmt::format("failed {}x", count);
  const bool failed_last = c.tried_at[n_] > c.completed_at[n_];
  if (held < 0.5 || count > 1) {
    words +=
        failed_last
            ? " (last " + reward::span_text(std::max<TimeMs>(0, now_ - c.tried_at[n_])) + " ago)"
            : " before it succeeded";
  }
  return {strength, std::move(words)};
}

}  // namespace hebb
