#include "engine/reasons.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "engine/mirror/means.h"
#include "engine/rank_graph.h"
#include "reward/evidence.h"

namespace hebb {

using graph::EdgeId;
using graph::NodeId;

namespace {

constexpr std::size_t kReasonsMax = 3;
constexpr double kCounts = 0.0953;  // ln 1.1

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
  Reasons(const reward::View& view, const CandidateMeans& means, TimeMs now, bool near_given)
      : view_(view), mean_(means), now_(now), near_given_(near_given), kinds_(view_.graph) {}

  std::vector<std::string> of(const reward::Ranked& r) const {
    std::vector<Reason> all = {semantic(r), structural(r), recency(r), time_proximity(r),
                               rewarded(r), contexts(r),   failures(r)};
    std::erase_if(all, [](const Reason& reason) {
      return reason.words.empty() || !(std::abs(reason.strength) >= kCounts);
    });
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
  // How much more base there is than with `weight` times less of one of its
  // parts.
  double lift(const reward::Factors& f, double weight, double part, double mean) const {
    return std::log(f.base / (f.base - weight * (part - mean)));
  }

  Reason semantic(const reward::Ranked& r) const {
    const auto& f = r.factors;
    const double strength = lift(f, view_.policy.semantic_weight, f.semantic, mean_.semantic);
    const std::string_view what = near_given_ ? "what was asked for" : "recent work";
    if (f.semantic == 0) return {};
    return {strength, fmt::format("{} {}", strength > 0 ? "near" : "far from", what)};
  }

  Reason structural(const reward::Ranked& r) const {
    const auto& f = r.factors;
    const double strength = lift(f, view_.policy.structural_weight, f.structural, mean_.structural);
    if (strength <= 0) {
      return {strength, f.structural == 0 ? "nothing links to it" : "weak links to it"};
    }
    return {strength, "linked from " + strongest(r.node, [&](EdgeId e) {
                        if (!view_.types[view_.graph.type(e)].structural) return 0.0;
                        return reward::counting_weight(view_, e, now_);
                      })};
  }

  Reason recency(const reward::Ranked& r) const {
    const double strength = std::log(r.factors.recency) - mean_.log_recency;
    const TimeMs ago = std::max<TimeMs>(0, now_ - reward::last_activity(view_, r.node));
    return {strength, strength > 0 ? fmt::format("active {} ago", span_text(ago))
                                   : fmt::format("quiet for {}", span_text(ago))};
  }

  Reason time_proximity(const reward::Ranked& r) const {
    if (mean_.anchor == graph::kNever) return {};
    const double strength = std::log(r.factors.time_proximity) - mean_.log_time_proximity;
    const TimeMs apart = std::abs(view_.graph.nodes().created_at[r.node] - mean_.anchor);
    return {strength, fmt::format("made {} {} the task completed last", span_text(apart),
                                  strength > 0 ? "from" : "away from")};
  }

  Reason rewarded(const reward::Ranked& r) const {
    const double half_life_ms =
        view_.policy.reward_half_life_hours * static_cast<double>(reward::kMsPerHour);
    return {std::log(r.factors.reward), "rewarded by " + strongest(r.node, [&](EdgeId e) {
                                          if (view_.graph.type(e) != kinds_.reward_positive)
                                            return 0.0;
                                          return reward::faded(view_, e, now_, half_life_ms);
                                        })};
  }

  // Names the context that has most of what speaks for the task, or against it.
  Reason contexts(const reward::Ranked& r) const {
    const double strength = std::log(r.factors.success_rate);
    std::vector<NodeId> targets;
    reward::contexts(view_, r.node, now_, targets);
    std::string_view name;
    double most = 0;
    for (const NodeId c : targets) {
      const auto seen = reward::context_evidence(view_, kinds_, c, now_);
      const double counts = (strength > 0 ? seen.successes : seen.failures).value();
      if (counts > most) name = view_.graph.id(c);
      most = std::max(most, counts);
    }
    if (name.empty()) return {};
    return {strength, fmt::format("{} in {}", strength > 0 ? "successes" : "failures", name)};
  }

  // The failure penalty is a power of how many failures are held against the task, after
  // their decay.
  Reason failures(const reward::Ranked& r) const {
    const double strength = std::log(r.factors.failure_penalty);
    if (strength == 0) return {};
    const double held = strength / std::log(view_.policy.failure_penalty);
    return {strength, held < 0.5 ? "failed a while ago" : fmt::format("failed {:.0f}x", held)};
  }

  // The source of the inbound edge of which `weight` is largest.
  template <class Weight>
  std::string strongest(NodeId n, Weight weight) const {
    std::string_view source;
    double most = 0;
    for (const EdgeId e : view_.graph.in_edges(n)) {
      const double w = weight(e);
      if (w > most) source = view_.graph.id(view_.graph.source(e));
      most = std::max(most, w);
    }
    return std::string(source);
  }

  const reward::View& view_;
  const CandidateMeans mean_;
  TimeMs now_;
  bool near_given_;
  reward::Kinds kinds_;
};

}  // namespace

namespace {

// The rows of the mirror, and why they stand there from the graph, which is only looked at around
// them.
std::optional<std::vector<ReasonedRow>> reasons_from_mirror(Engine& engine,
                                                            const RankQuery& query) {
  Store& store = engine.store();
  engine.try_sync();
  const sql::Transaction snapshot(store.database(), sql::Transaction::Kind::deferred);
  auto rows = rank_from_mirror(store, query);
  const auto means = read_means(store.database());
  if (!rows || !means) return std::nullopt;
  const State& s = engine.state();
  const reward::View view = s.view();
  const Reasons reasons(view, *means, s.stamp(), false);
  std::vector<ReasonedRow> out;
  for (auto& row : *rows) {
    const auto n = s.find(row.id);
    if (!n) return std::nullopt;  // a mirror that is damaged
    std::vector<std::string> why = reasons.of({*n, row.factors});
    out.push_back({std::move(row), std::move(why)});
  }
  return out;
}

}  // namespace

std::vector<ReasonedRow> rank_with_reasons(Engine& engine, const RankQuery& query) {
  if (auto rows = reasons_from_mirror(engine, query)) return std::move(*rows);
  std::vector<ReasonedRow> out;
  rank_from_graph(engine, query, [&](GraphRanking& ranking) {
    const bool near_given = !query.near.empty() || !query.vector.empty();
    const Reasons reasons(ranking.view, means_of(ranking.rows, ranking.focus), ranking.now,
                          near_given);
    for (auto& [row, ranked] : ranking.chosen) {
      out.push_back({std::move(row), reasons.of(*ranked)});
    }
  });
  return out;
}

}  // namespace hebb
