#include "engine/rank/reasons.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include <fmt/format.h>

#include "reward/outcome.h"

namespace hebb {

using graph::EdgeId;
using graph::NodeId;
using graph::TimeMs;

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

namespace {

constexpr std::size_t kWordsMost = 3;
constexpr double kCounts = 0.0953;  // ln 1.1: the least strength of a reason

bool counts(double strength) { return std::abs(strength) >= kCounts; }

// Empty words: it says nothing.
struct PlaceReason {
  double strength = 0;  // logarithm of what it multiplies the priority with
  std::string words;
};

// The source or context that says most; of several the smallest id, because node numbers depend on
// the history of the graph. Empty: none says anything.
class Most {
 public:
  void look(std::string_view id, double value) {
    if (value > most_ || (value > 0 && value == most_ && id < id_)) id_ = id;
    most_ = std::max(most_, value);
  }
  std::string_view id() const { return id_; }

 private:
  std::string_view id_;
  double most_ = 0;
};

std::string duration_text(TimeMs ms) {
  if (ms < 1000) return fmt::format("{} ms", ms);
  if (ms < 120'000) return fmt::format("{:.1f} s", static_cast<double>(ms) / 1000);
  return reward::span_text(ms);
}

// Those of one node.
struct Reasons {
  const reward::View& view;
  const reward::Ranking& ranking;
  const NodeId n;
  const reward::Factors& f;
  const reward::Evidence seen;

  // Logarithm of how much larger the base is than it would be if `part`, which enters it with
  // `weight`, had its mean.
  double lift(double weight, double part, double mean) const {
    return std::log(f.base / (f.base - weight * (part - mean)));
  }

  PlaceReason semantic(double mean, bool near_given) const {
    if (f.semantic == 0) return {};
    const double strength = lift(view.policy.semantic_weight, f.semantic, mean);
    const std::string_view what = near_given ? "what was asked for" : "recent work";
    return {strength, fmt::format("{} {}", strength > 0 ? "near" : "far from", what)};
  }

  PlaceReason structural(double mean) const {
    const double strength = lift(view.policy.structural_weight, f.structural, mean);
    if (strength <= 0)
      return {strength, f.structural == 0 ? "nothing links to it" : "weak links to it"};
    const NodeId source = seen.linked_from;
    const auto id = source == graph::kNoNode ? std::string_view() : view.graph.id(source);
    return {strength, fmt::format("linked from {}", id)};
  }

  PlaceReason of_factor(const reward::Factor& factor, double mean_log) const {
    if (factor.value == &reward::Factors::reward) return rewarded();
    if (factor.value == &reward::Factors::success_rate) return contexts();
    if (factor.value == &reward::Factors::failure_penalty) return own_outcomes();
    const double strength = std::log(f.*factor.value) - (factor.against_mean ? mean_log : 0);
    if (factor.reason != nullptr) return {strength, factor.reason(view.graph, seen, strength)};
    return {strength, std::string(strength > 0 ? factor.words.raises : factor.words.lowers)};
  }

  // The factor of which one that is pressing is so: its own urgency, or that of what waits for it.
  double reward::Factors::*presses() const {
    return reward::awaited_urgency(view.policy, seen) > reward::urgency(view.policy, seen)
               ? &reward::Factors::unblocks
               : &reward::Factors::urgency;
  }

  // Names the source of the strongest reward.
  PlaceReason rewarded() const {
    const double strength = std::log(f.reward);
    if (!counts(strength)) return {};
    const reward::Kinds kinds(view.graph);
    Most most;
    for (const EdgeId e : view.graph.in_edges(n)) {
      if (view.graph.type(e) != kinds.reward_positive) continue;
      most.look(view.graph.id(view.graph.source(e)),
                reward::faded_reward(view, e, ranking.times().stamp));
    }
    return {strength, fmt::format("rewarded by {}", most.id())};
  }

  double own_rate() const {
    return reward::own_rate(view.policy, seen.own_successes, seen.own_failures);
  }

  // Names the context with the most evidence for the task, or against it.
  PlaceReason contexts() const {
    const double strength = std::log(f.success_rate / own_rate());
    if (!counts(strength)) return {};
    Most most;
    for (const NodeId c : reward::evidence_contexts(view, n, ranking.times().stamp)) {
      const auto said = ranking.context(view, c);
      most.look(view.graph.id(c), (strength > 0 ? said.successes : said.failures).value());
    }
    if (most.id().empty()) return {};
    return {strength, fmt::format("{} in {}", strength > 0 ? "successes" : "failures", most.id())};
  }

  // Penalty and evidence together; of a test there is no evidence. The penalty is of
  // the number of its failures, after decay.
  PlaceReason own_outcomes() const {
    const reward::Policy& policy = view.policy;
    const bool is_test = seen.is_test != 0;
    const double penalty = std::log(f.failure_penalty);
    const double strength = penalty + std::log(own_rate());
    if (strength == 0) return {};
    if ((is_test || policy.untried_failures > 0) &&
        reward::untried(view, reward::Kinds(view.graph), n))
      return {strength, "no outcome yet"};
    // Where the policy makes failures draw attention, they lift the task.
    if (strength > 0 && f.failure_penalty <= 1) return {strength, "succeeded before"};
    const double held = penalty == 0 ? 0 : seen.penalised;  // how many failures count
    const auto& c = view.graph.nodes();
    const auto count = c.failed[n];
    if (count == 0) return {strength, fmt::format("counts as failed {:.0f}x", held)};  // by a link
    std::string words = fmt::format("failed {}x", count);
    if (held < 0.5 || count > 1) {
      const TimeMs ago = std::max<TimeMs>(0, ranking.times().now - c.tried_at[n]);
      words += c.tried_at[n] > c.completed_at[n]
                   ? fmt::format(" (last {} ago)", reward::span_text(ago))
                   : " before it succeeded";
    }
    return {strength, std::move(words)};
  }

  // Of a test of which no factor says anything: what decides among such tests.
  std::vector<std::string> of_tied_test() const {
    std::vector<std::string> words;
    const auto& c = view.graph.nodes();
    if (f.test_failures != 0 && c.failed[n] > 0)
      words.push_back(fmt::format("failed {}x before it succeeded", c.failed[n]));
    if (c.duration_ms[n] > 0)  // 0: it was too short to be measured, or nobody did
      words.push_back(fmt::format("takes {}", duration_text(c.duration_ms[n])));
    return words;
  }
};

}  // namespace

std::vector<std::string> reasons_for(const reward::View& view, const reward::Ranking& ranking,
                                     const reward::Focus& focus, const MeanFactors& mean,
                                     bool near_given, NodeId n, const reward::Factors& factors) {
  const Reasons of{view, ranking, n, factors, ranking.evidence_of(view, focus, n)};
  std::vector<PlaceReason> all;
  const auto add = [&](PlaceReason reason) {
    if (!reason.words.empty() && counts(reason.strength)) all.push_back(std::move(reason));
  };
  const bool is_test = of.seen.is_test != 0;
  constexpr double kAboveAll = std::numeric_limits<double>::infinity();
  if (factors.tier == reward::kPinned) add({kAboveAll, "pinned"});
  if (!is_test) {
    add(of.semantic(mean.semantic(), near_given));
    add(of.structural(mean.structural()));
  }
  for (std::size_t i = 0; const reward::Factor& factor : reward::factors()) {
    if (!is_test || factor.of_tests) {
      PlaceReason reason = of.of_factor(factor, mean.log(i));
      if (factors.tier == reward::kPressing && factor.value == of.presses())
        reason.strength = kAboveAll;
      add(std::move(reason));
    }
    ++i;
  }
  std::ranges::stable_sort(all, std::greater<>(),
                           [](const PlaceReason& reason) { return std::abs(reason.strength); });
  std::vector<std::string> words;
  for (PlaceReason& reason : all) {
    if (words.size() < kWordsMost) words.push_back(std::move(reason.words));
  }
  if (is_test && words.empty()) return of.of_tied_test();
  return words;
}

}  // namespace hebb
