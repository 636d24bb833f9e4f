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

// The reasons of one node.
struct Reasons {
  const reward::View& view;
  const reward::Ranking& ranking;
  const NodeId n;
  const reward::Factors& f;
  const reward::Evidence seen;
  FactsOf& facts;

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
    if (strength <= 0) return {strength, f.structural == 0 ? "no links to it" : "weak links to it"};
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

  // The factor that puts it into its tier: its own urgency, or that of the tasks that wait for it.
  double reward::Factors::*of_tier() const {
    reward::Evidence alone = seen;
    alone.waiting_count = 0;
    return reward::tier(view.policy, alone) < f.tier ? &reward::Factors::unblocks
                                                     : &reward::Factors::urgency;
  }

  // The factor that says what keeps it from a higher tier; nullptr: nothing does.
  double reward::Factors::*kept_from_tier() const {
    reward::Evidence other = seen;
    other.failed_at = graph::kNever;
    if (reward::tier(view.policy, other) > f.tier) return &reward::Factors::failure_penalty;
    other.last_activity = seen.now;
    return reward::tier(view.policy, other) > f.tier ? &reward::Factors::recency : nullptr;
  }

  // Names the source of the strongest reward.
  PlaceReason rewarded() const {
    const double strength = std::log(f.reward);
    if (!counts(strength)) return {};
    const reward::KnownNames kinds(view.graph);
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
      const auto sums = ranking.context(view, c);
      most.look(view.graph.id(c), (strength > 0 ? sums.successes : sums.failures).value());
    }
    const auto label = view.graph.find_node(most.id());
    if (!label) return {};
    const std::string_view what = strength > 0 ? "successes" : "failures";
    const std::string& name = facts.name_of(*label);
    constexpr std::size_t kLongest = 80;  // a longer one is no word of a sentence
    const std::string_view shown = name.size() > kLongest ? most.id() : name;
    return {strength, fmt::format("{} in {}", what, shown)};
  }

  // The penalty for its failures and its own outcomes as evidence together; outcomes of a test are
  // no evidence.
  PlaceReason own_outcomes() const {
    const reward::Policy& policy = view.policy;
    const bool is_test = seen.is_test != 0;
    const double penalty = std::log(f.failure_penalty);
    const double strength = penalty + std::log(own_rate());
    if (strength == 0) return {};
    if ((is_test || policy.untried_failures > 0) &&
        reward::untried(view, reward::KnownNames(view.graph), n))
      return {strength, "no outcome yet"};
    // Where the policy makes failures draw attention, they lift the task.
    if (strength > 0 && f.failure_penalty <= 1) return {strength, "succeeded before"};
    const double counted = penalty == 0 ? 0 : seen.penalised;  // how many failures, after decay
    const auto& c = view.graph.nodes();
    const auto count = c.failed[n];
    if (count == 0)
      return {strength, fmt::format("counts as failed {:.0f}x", counted)};  // by a link
    std::string words = fmt::format("failed {}x", count);
    if (counted < 0.5 || count > 1) {
      const TimeMs ago = std::max<TimeMs>(0, ranking.times().now - c.tried_at[n]);
      words += c.tried_at[n] > c.completed_at[n]
                   ? fmt::format(" (last {} ago)", reward::span_text(ago))
                   : " before it succeeded";
    }
    return {strength, std::move(words)};
  }

  // The reason for a test for which no factor gives one: what decides among such tests.
  std::vector<PlaceReason> of_tied_test() const {
    std::vector<PlaceReason> reasons;
    const auto& c = view.graph.nodes();
    if (f.test_failures != 0 && c.failed[n] > 0)
      reasons.push_back({0, fmt::format("failed {}x before it succeeded", c.failed[n])});
    if (c.duration_ms[n] > 0)  // 0: too short to be measured, or not measured
      reasons.push_back({0, fmt::format("takes {}", duration_text(c.duration_ms[n]))});
    return reasons;
  }
};

// The verb before a reason in a sentence about "it".
std::string_view verb_before(std::string_view words) {
  struct Verb {
    std::string_view beginning, verb;
  };
  static constexpr Verb kVerbs[] = {
      {"active ", "was "},       {"created ", "was "},
      {"rewarded ", "was "},     {"quiet ", "has been "},
      {"waiting ", "has been "}, {"successes ", "has "},
      {"failures ", "has "},     {"labels ", "has "},
      {"no ", "has "},           {"weak ", "has "},
      {"failed ", ""},           {"succeeded ", ""},
      {"counts ", ""},           {"takes ", ""},
      {"unblocks ", ""},         {"probably ", ""},
  };
  for (const Verb& verb : kVerbs)
    if (words.starts_with(verb.beginning)) return verb.verb;
  return "is ";
}

// "is P0, failed 2x and takes 1 d"; empty: none of them is for it, or against it.
std::string clauses_of(const std::vector<PlaceReason>& reasons, bool for_it) {
  std::vector<std::string> clauses;
  for (const PlaceReason& reason : reasons)
    if ((reason.strength >= 0) == for_it)
      clauses.push_back(fmt::format("{}{}", verb_before(reason.words), reason.words));
  if (clauses.size() < 2) return clauses.empty() ? "" : clauses.front();
  const std::string last = std::move(clauses.back());
  clauses.pop_back();
  return fmt::format("{} and {}", fmt::join(clauses, ", "), last);
}

std::string ordinal(std::int64_t n) {
  if (n == 1) return "First";
  const std::int64_t last = n % 100 / 10 == 1 ? 0 : n % 10;
  return fmt::format("{}{}", n, last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

}  // namespace

std::string place_in_words(std::int64_t rank, std::int64_t candidates,
                           const std::vector<PlaceReason>& reasons) {
  std::string text = fmt::format("{} of {}", ordinal(rank), candidates);
  const std::string because = clauses_of(reasons, rank == 1);
  const std::string although = clauses_of(reasons, rank != 1);
  if (!because.empty()) text += ", because it " + because;
  if (!although.empty())
    text += (because.empty() && rank != 1 ? "; it " : ", although it ") + although;
  return text;
}

std::vector<PlaceReason> reasons_for(const reward::View& view, const reward::Ranking& ranking,
                                     const reward::Focus& focus, const MeanFactors& mean,
                                     bool near_given, NodeId n, const reward::Factors& factors,
                                     FactsOf& facts) {
  const Reasons reasons{view, ranking, n, factors, ranking.evidence_of(view, focus, n), facts};
  std::vector<PlaceReason> all;
  const auto add = [&](PlaceReason reason) {
    if (!reason.words.empty() && counts(reason.strength)) all.push_back(std::move(reason));
  };
  const bool is_test = reasons.seen.is_test != 0;
  constexpr double kAboveAll = std::numeric_limits<double>::infinity();
  if (factors.tier == reward::kPinned) add({kAboveAll, "pinned"});
  if (!is_test) {
    add(reasons.semantic(mean.semantic(), near_given));
    add(reasons.structural(mean.structural()));
  }
  const bool is_in_tier = factors.tier != 0 && factors.tier != reward::kPinned;
  const auto of_tier = is_in_tier ? reasons.of_tier() : nullptr,
             kept_from_tier = reasons.kept_from_tier();
  for (std::size_t i = 0; const reward::Factor& factor : reward::factors()) {
    if (!is_test || factor.of_tests) {
      PlaceReason reason = reasons.of_factor(factor, mean.log(i));
      if (factor.value == of_tier && (reason.strength != 0 || factors.tier >= reward::kPressing))
        reason.strength = std::copysign(kAboveAll, reason.strength);
      if (factor.value == kept_from_tier) {
        reason.strength = -kAboveAll;
        if (factor.value == &reward::Factors::recency)
          reason.words = fmt::format(
              "quiet for {}", reward::span_text(reasons.seen.now - reasons.seen.last_activity));
      }
      add(std::move(reason));
    }
    ++i;
  }
  std::ranges::stable_sort(all, std::greater<>(),
                           [](const PlaceReason& reason) { return std::abs(reason.strength); });
  all.resize(std::min(all.size(), kWordsMost));
  return is_test && all.empty() ? reasons.of_tied_test() : all;
}

}  // namespace hebb
