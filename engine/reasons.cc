#include "engine/reasons.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <span>
#include <unordered_map>

#include <fmt/format.h>

#include "engine/rank_graph.h"
#include "reward/evidence.h"
#include "reward/factors.h"
#include "reward/outcome.h"

namespace hebb {

using graph::EdgeId;
using graph::NodeId;

namespace {

constexpr std::size_t kReasonsMax = 3;
constexpr double kCounts = 0.0953;  // ln 1.1: the least strength of a reason

struct Reason {
  double strength = 0;  // logarithm of what it multiplies the priority with
  std::string words;
};

// "5 min", "12 h", "40 d"
std::string span_text(TimeMs ms) {
  const double minutes = static_cast<double>(ms) / static_cast<double>(reward::kMsPerMinute);
  if (minutes < 120) return fmt::format("{:.0f} min", minutes);
  if (minutes < 48 * 60) return fmt::format("{:.0f} h", minutes / 60);
  return fmt::format("{:.0f} d", minutes / (24 * 60));
}

class Reasons {
 public:
  Reasons(const reward::View& view, const reward::Focus& focus, TimeMs now, const MeanFactors& mean,
          bool near_given, const reward::Standings* kept)
      : view_(view),
        focus_(focus),
        now_(now),
        near_given_(near_given),
        kinds_(view.graph),
        kept_(kept),
        mean_{mean.semantic(), mean.structural()},
        mean_recency_(mean.log_recency()),
        mean_proximity_(mean.log_time_proximity()),
        mean_order_(mean.log_order_proximity()) {}

  std::vector<std::string> of(const reward::Ranked& r) {
    std::vector<Reason> all = {pinned(r),          semantic(r),       structural(r),
                               recency(r),         time_proximity(r), order_proximity(r),
                               context_overlap(r), rewarded(r),       contexts(r),
                               own_outcomes(r),    urgency(r)};
    if (reward::is_test(view_, kinds_, r.node)) all = {pinned(r), failures_of_test(r), urgency(r)};
    std::erase_if(
        all, [](const Reason& reason) { return reason.words.empty() || !counts(reason.strength); });
    std::stable_sort(all.begin(), all.end(), [](const Reason& a, const Reason& b) {
      return std::abs(a.strength) > std::abs(b.strength);
    });
    std::vector<std::string> words;
    for (auto& reason : all) {
      if (words.size() < kReasonsMax) words.push_back(std::move(reason.words));
    }
    return words;
  }

 private:
  static bool counts(double strength) { return std::abs(strength) >= kCounts; }

  // Logarithm of how much larger the base is than it would be if `part`, which enters it with
  // `weight`, had its mean.
  double lift(const reward::Factors& f, double weight, double part, double mean) const {
    return std::log(f.base / (f.base - weight * (part - mean)));
  }

  Reason semantic(const reward::Ranked& r) const {
    const auto& f = r.factors;
    const double strength = lift(f, view_.policy.semantic_weight, f.semantic, mean_.semantic);
    if (f.semantic == 0 || !counts(strength)) return {};
    const std::string_view what = near_given_ ? "what was asked for" : "recent work";
    return {strength, fmt::format("{} {}", strength > 0 ? "near" : "far from", what)};
  }

  Reason structural(const reward::Ranked& r) const {
    const auto& f = r.factors;
    const double strength = lift(f, view_.policy.structural_weight, f.structural, mean_.structural);
    if (!counts(strength)) return {};
    if (strength <= 0) {
      return {strength, f.structural == 0 ? "nothing links to it" : "weak links to it"};
    }
    if (const reward::Standing* row = kept_ ? kept_->find(r.node) : nullptr) {
      const NodeId source = row->evidence.linked_from;
      const auto id = source == graph::kNoNode ? std::string_view() : view_.graph.id(source);
      return {strength, fmt::format("linked from {}", id)};
    }
    return {strength, "linked from " + strongest(r.node, [&](EdgeId e) {
                        if (!view_.types[view_.graph.type(e)].structural) return 0.0;
                        return reward::counting_weight(view_, e, now_);
                      })};
  }

  Reason recency(const reward::Ranked& r) const {
    const double strength = std::log(r.factors.recency) - mean_recency_;
    if (!counts(strength)) return {};
    const reward::Standing* row = kept_ ? kept_->find(r.node) : nullptr;
    const TimeMs last = row ? row->evidence.last_activity : reward::last_activity(view_, r.node);
    const TimeMs ago = std::max<TimeMs>(0, now_ - last);
    return {strength, strength > 0 ? fmt::format("active {} ago", span_text(ago))
                                   : fmt::format("quiet for {}", span_text(ago))};
  }

  Reason time_proximity(const reward::Ranked& r) const {
    if (focus_.anchor == graph::kNever) return {};
    const double strength = std::log(r.factors.time_proximity) - mean_proximity_;
    if (!counts(strength)) return {};
    const TimeMs apart = std::abs(view_.graph.nodes().created_at[r.node] - focus_.anchor);
    return {strength, fmt::format("made {} {} the task completed last", span_text(apart),
                                  strength > 0 ? "from" : "away from")};
  }

  Reason order_proximity(const reward::Ranked& r) const {
    const double strength = std::log(r.factors.order_proximity) - mean_order_;
    return {strength, strength > 0 ? "filed next to what was completed lately"
                                   : "filed far from what was completed lately"};
  }

  Reason context_overlap(const reward::Ranked& r) const {
    return {std::log(r.factors.context_overlap), "of the kind completed last"};
  }

  Reason rewarded(const reward::Ranked& r) const {
    const double strength = std::log(r.factors.reward);
    if (!counts(strength)) return {};
    const double half_life_ms =
        view_.policy.reward_half_life_hours * static_cast<double>(reward::kMsPerHour);
    return {strength, "rewarded by " + strongest(r.node, [&](EdgeId e) {
                        if (view_.graph.type(e) != kinds_.reward_positive) return 0.0;
                        return reward::faded(view_, e, now_, half_life_ms);
                      })};
  }

  // Names the context with the most evidence for the task, or against it. If several have as much,
  // the smallest id, because node numbers depend on the history of the graph.
  Reason contexts(const reward::Ranked& r) {
    const double strength = std::log(r.factors.success_rate / own_rate(r.node));
    if (!counts(strength)) return {};
    std::string_view name;
    double most = 0;
    for (const NodeId c : contexts_of(r.node)) {
      const auto& seen = evidence_of(c);
      const double value = strength > 0 ? seen.first : seen.second;
      const std::string_view id = view_.graph.id(c);
      if (value > most || (value > 0 && value == most && id < name)) name = id;
      most = std::max(most, value);
    }
    if (name.empty()) return {};
    return {strength, fmt::format("{} in {}", strength > 0 ? "successes" : "failures", name)};
  }

  // Valid until the next call.
  std::span<const NodeId> contexts_of(NodeId n) {
    if (const reward::Standing* row = kept_ ? kept_->find(n) : nullptr)
      return kept_->contexts_of(*row);
    reward::contexts(view_, n, now_, targets_);
    return targets_;
  }

  // Cached, because many tasks share a context.
  const std::pair<double, double>& evidence_of(NodeId context) {
    const auto [at, is_new] = evidence_.try_emplace(context);
    if (is_new) {
      const auto seen = kept_ ? kept_->context(view_, context)
                              : reward::context_evidence(view_, kinds_, context, now_);
      at->second = {seen.successes.value(), seen.failures.value()};
    }
    return at->second;
  }

  reward::OwnOutcomes own(NodeId n) const {
    const auto& c = view_.graph.nodes();
    if (c.tried_at[n] == graph::kNever) return {};
    return reward::faded(view_.policy, {c.successes[n], c.failures[n], c.tried_at[n]}, now_);
  }
  double own_rate(NodeId n) const {
    const auto seen = own(n);
    return reward::rate(view_.policy, seen.successes, seen.failures);
  }

  // Penalty and evidence together. The penalty's exponent is the number of its failures, after
  // decay.
  Reason own_outcomes(const reward::Ranked& r) const {
    const double penalty = std::log(r.factors.failure_penalty);
    const double strength = penalty + std::log(own_rate(r.node));
    if (strength == 0) return {};
    if (view_.policy.untried_failures > 0 && reward::untried(view_, kinds_, r.node)) {
      return {strength, "no outcome yet"};
    }
    // Where the policy makes failures draw attention, they lift the task.
    if (strength > 0 && r.factors.failure_penalty <= 1) return {strength, "succeeded before"};
    const double held = penalty == 0 ? 0 : penalty / std::log(view_.policy.failure_penalty);
    return failed(r, strength, held);
  }

  Reason failures_of_test(const reward::Ranked& r) const {
    const double strength = std::log(r.factors.failure_penalty);
    if (strength == 0) return {};
    if (reward::untried(view_, kinds_, r.node)) return {strength, "no outcome yet"};
    return failed(r, strength, strength / std::log(view_.policy.test_failure_factor));
  }

  // held: how many failures count.
  Reason failed(const reward::Ranked& r, double strength, double held) const {
    const auto& c = view_.graph.nodes();
    const auto count = c.failed[r.node];
    if (count == 0) return {strength, fmt::format("counts as failed {:.0f}x", held)};  // by a link
    std::string words = fmt::format("failed {}x", count);
    const bool failed_last = c.tried_at[r.node] > c.completed_at[r.node];
    if (held < 0.5 || count > 1) {
      words += failed_last
                   ? " (last " + span_text(std::max<TimeMs>(0, now_ - c.tried_at[r.node])) + " ago)"
                   : " before it succeeded";
    }
    return {strength, std::move(words)};
  }

  Reason pinned(const reward::Ranked& r) const {
    if (view_.graph.nodes().pinned[r.node] == 0) return {};
    return {std::numeric_limits<double>::infinity(), "pinned"};
  }

  Reason urgency(const reward::Ranked& r) const {
    const auto& c = view_.graph.nodes();
    std::vector<std::string> words;
    if (c.priority[r.node] != graph::kNoPriority)
      words.push_back(fmt::format("P{}", c.priority[r.node]));
    if (const TimeMs due = c.due_at[r.node]; due != graph::kNever) {
      words.push_back(due >= now_ ? fmt::format("due in {}", span_text(due - now_))
                                  : fmt::format("late by {}", span_text(now_ - due)));
    }
    return {std::log(r.factors.urgency), fmt::format("{}", fmt::join(words, ", "))};
  }

  // The source of the inbound edge whose `weight` is largest; of several the smallest id.
  template <class Weight>
  std::string strongest(NodeId n, Weight weight) const {
    std::string_view source;
    double most = 0;
    for (const EdgeId e : view_.graph.in_edges(n)) {
      const double w = weight(e);
      const std::string_view id = view_.graph.id(view_.graph.source(e));
      if (w > most || (w > 0 && w == most && id < source)) source = id;
      most = std::max(most, w);
    }
    return std::string(source);
  }

  const reward::View& view_;
  const reward::Focus& focus_;
  TimeMs now_;
  bool near_given_;
  reward::Kinds kinds_;
  const reward::Standings* kept_;
  struct {
    double semantic, structural;
  } mean_;
  double mean_recency_, mean_proximity_, mean_order_;               // of logarithms
  std::unordered_map<NodeId, std::pair<double, double>> evidence_;  // successes, failures
  std::vector<NodeId> targets_;                                     // of contexts_of()
};

}  // namespace

void MeanFactors::add(const reward::Factors& f) {
  // The logarithm of a factor that is 0 has to have an end.
  const auto log = [](double x) {
    return std::log(std::max(x, std::numeric_limits<double>::min()));
  };
  count_ += 1;
  semantic_.add(f.semantic);
  structural_.add(f.structural);
  log_recency_.add(log(f.recency));
  log_time_proximity_.add(log(f.time_proximity));
  log_order_proximity_.add(log(f.order_proximity));
}

MeanFactors mean_of_tasks(const reward::View& view, std::span<const reward::Ranked> candidates) {
  MeanFactors mean;
  const reward::Kinds kinds(view.graph);
  for (const reward::Ranked& row : candidates) {
    if (!reward::is_test(view, kinds, row.node)) mean.add(row.factors);
  }
  return mean;
}

MeanFactors mean_of_tasks(const reward::Standings& kept) {
  MeanFactors mean;
  for (const reward::Standing& row : kept.open()) {
    if (row.is_blocked == 0 && row.evidence.is_test == 0) mean.add(row.factors);
  }
  return mean;
}

std::vector<std::vector<std::string>> reasons_of(const reward::View& view,
                                                 const reward::Focus& focus, TimeMs now,
                                                 const MeanFactors& mean,
                                                 std::span<const reward::Ranked* const> chosen,
                                                 bool near_given, const reward::Standings* kept) {
  Reasons reasons(view, focus, now, mean, near_given, kept);
  std::vector<std::vector<std::string>> out;
  out.reserve(chosen.size());
  for (const reward::Ranked* r : chosen) out.push_back(reasons.of(*r));
  return out;
}

namespace {

void add_reasons(GraphRanking& ranking, const RankQuery& query) {
  std::vector<const reward::Ranked*> chosen;
  for (const auto& [row, ranked] : ranking.chosen) chosen.push_back(ranked);
  const MeanFactors mean = mean_of_tasks(ranking.view, ranking.rows);
  auto reasons = reasons_of(ranking.view, ranking.focus, ranking.now, mean, chosen,
                            !query.near.empty() || !query.vector.empty(), ranking.kept);
  for (std::size_t i = 0; i < chosen.size(); ++i)
    ranking.chosen[i].first.reasons = std::move(reasons[i]);
}

CountedRows counted_from_graph(Engine& engine, const RankQuery& query, bool with_reasons) {
  CountedRows counted;
  rank_from_graph(engine, query, [&](GraphRanking& ranking) {
    if (with_reasons) add_reasons(ranking, query);
    for (auto& [row, ranked] : ranking.chosen) counted.rows.push_back(std::move(row));
    counted.counts = RankCounts{ranking.total, ranking.claimed.size()};
  });
  return counted;
}

}  // namespace

std::vector<PathRow> rank_with_reasons(Engine& engine, const RankQuery& query) {
  if (auto rows = rank_from_mirror(engine, query)) return std::move(*rows);
  return graph_with_reasons(engine, query);
}

std::vector<PathRow> graph_with_reasons(Engine& engine, const RankQuery& query) {
  return counted_from_graph(engine, query, true).rows;
}

bool leaves_out_claimed(Engine& engine, const RankQuery& query) {
  if (!query.unclaimed_at || query.as_of) return false;
  const auto claims = engine.claims();
  return std::any_of(claims.begin(), claims.end(),
                     [&](const ClaimRow& claim) { return claim.active(*query.unclaimed_at); });
}

CountedRows rank_counted(Engine& engine, const RankQuery& query, bool with_reasons) {
  auto rows = rank_from_mirror(engine, query);
  if (!rows) return counted_from_graph(engine, query, with_reasons);
  CountedRows counted{std::move(*rows), std::nullopt};
  RankQuery all = query;
  all.top = std::numeric_limits<std::size_t>::max();
  all.offset = 0;
  all.took = {};
  std::optional<std::size_t> total, with_claimed;
  const bool last = counted.rows.size() < query.top && (!counted.rows.empty() || query.offset == 0);
  if (last) {
    total = query.offset + counted.rows.size();
  } else if (const auto kept = rank_as_mirrored(engine, all)) {
    total = kept->size();
  }
  with_claimed = total;
  if (total && leaves_out_claimed(engine, query)) {
    all.unclaimed_at.reset();
    const auto kept = rank_as_mirrored(engine, all);
    with_claimed = kept ? std::optional(kept->size()) : std::nullopt;
  }
  if (with_claimed) counted.counts = RankCounts{*total, *with_claimed - *total};
  return counted;
}

RankCounts count_from_graph(Engine& engine, const RankQuery& query) {
  RankQuery none = query;
  none.top = none.offset = 0;
  return counted_from_graph(engine, none, false).counts.value_or(RankCounts{});
}

}  // namespace hebb
