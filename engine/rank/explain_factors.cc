// The lines of an explanation, one for each factor, and what stands behind each.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/rank/explainer.h"
#include "engine/values/counted.h"

namespace hebb {

using graph::EdgeId;
using graph::NodeId;

FactorLine Explainer::semantic(const TaskExplanation& x) {
  const std::string formula = fmt::format("1 / (L2 + {})", view_.policy.semantic_offset);
  FactorLine line{"semantic", x.factors.semantic, formula, {}};
  for (const NodeId done : reward::completed_last(view_)) {
    line.grounds.push_back({fmt::format("near to {}, completed last", s_.graph().id(done)), 0, {}});
  }
  if (x.factors.semantic == 0) line.formula = "no vector to compare";
  return line;
}

// --- what stands behind each factor; none has to say anything ------------------------------------

void Explainer::behind_recency(NodeId n, FactorLine& line) {
  const TimeMs last = evidence_.last_activity;
  const double minutes =
      std::max(0.0, static_cast<double>(now_ - last) / static_cast<double>(reward::kMsPerMinute));
  Ground ground{"last activity", minutes, {}};
  for (const Event& e : events_about(folded_, {std::string(s_.graph().id(n))}, false, until_)) {
    if (e.at == last) ground.causes.push_back(cause_of(e));
  }
  for (const EdgeId e : s_.graph().in_edges(n)) {
    if (ground.causes.empty() && s_.graph().edges().touched_at[e] == last)
      ground = edge_ground(e, minutes);
  }
  for (const EdgeId e : s_.graph().out_edges(n)) {
    if (ground.causes.empty() && s_.graph().edges().touched_at[e] == last)
      ground = edge_ground(e, minutes);
  }
  // Of the edge's causes only the latest is shown.
  std::erase_if(ground.causes, [&](const Cause& c) { return c.at != last; });
  ground.cause_count = ground.causes.size();
  line.grounds.push_back(std::move(ground));
}

void Explainer::behind_time_proximity(NodeId n, FactorLine& line) {
  const auto last = reward::completed_last(view_);
  if (last.empty()) return;
  const auto& created = s_.graph().nodes().created_at;
  const double minutes = std::abs(static_cast<double>(created[n] - created[last.front()])) /
                         static_cast<double>(reward::kMsPerMinute);
  line.grounds.push_back({fmt::format("created {:.1f} min from {}, completed last", minutes,
                                      s_.graph().id(last.front())),
                          minutes,
                          {}});
}

void Explainer::behind_order_proximity(NodeId n, FactorLine& line) {
  if (evidence_.filed_between < 0) return;
  for (const NodeId done : focus_.completed) {
    const double between = reward::filed_between(focus_, n, done);
    if (between != evidence_.filed_between) continue;
    line.grounds.push_back({fmt::format("{} between it and {}, completed lately",
                                        counted(static_cast<std::int64_t>(between),
                                                "task was created", "tasks were created"),
                                        s_.graph().id(done)),
                            between,
                            {}});
    return;
  }
}

void Explainer::behind_context_overlap(NodeId n, FactorLine& line) {
  for (const NodeId c : reward::contexts(view_, n, now_)) {
    if (!std::binary_search(focus_.contexts.begin(), focus_.contexts.end(), c)) continue;
    line.grounds.push_back({fmt::format("{}, also of {}, completed last", s_.graph().id(c),
                                        s_.graph().id(focus_.completed.front())),
                            0,
                            {}});
  }
}

void Explainer::behind_reward(NodeId n, FactorLine& line) {
  const double half_life_ms =
      view_.policy.reward_half_life_hours * static_cast<double>(reward::kMsPerHour);
  line.grounds = grounds(
      n, [&](EdgeId e) { return is(e, kRewardPositive); },
      [&](EdgeId e, double) { return reward::faded(view_, e, now_, half_life_ms); });
}

void Explainer::behind_success_rate(NodeId n, FactorLine& line) {
  for (const NodeId c : reward::contexts(view_, n, now_)) {
    const auto evidence = ranking_.context(view_, c);
    const double s = evidence.successes.value(), u = evidence.failures.value();
    line.grounds.push_back(
        {fmt::format("{}: successes {:.4g}, failures {:.4g}", s_.graph().id(c), s, u), s - u, {}});
    add_outcomes_of(c, line);
  }
  if (evidence_.general != 1) {
    line.grounds.push_back({"it has no label: the rate of all labels of open tasks together",
                            evidence_.general - 1,
                            {}});
  }
  if (evidence_.own_successes + evidence_.own_failures > 0) {
    line.grounds.push_back(
        own_outcomes(n,
                     fmt::format("successes {:.4g}, failures {:.4g}", evidence_.own_successes,
                                 evidence_.own_failures),
                     evidence_.own_successes - evidence_.own_failures));
  }
}

// The tasks that say most of a label.
void Explainer::add_outcomes_of(NodeId label, FactorLine& line) {
  constexpr std::size_t kShown = 3;
  const graph::Graph& g = s_.graph();
  std::vector<EdgeId> edges;
  for (const EdgeId e : g.in_edges(label)) {
    const bool is_outcome = is(e, kRewardPositive) || is(e, kRewardNegative);
    if (is_outcome && reward::counting_weight(view_, e, now_) > 0) edges.push_back(e);
  }
  const auto weighs_more = [&](EdgeId a, EdgeId b) {
    const double x = reward::counting_weight(view_, a, now_);
    const double y = reward::counting_weight(view_, b, now_);
    return x != y ? x > y : g.id(g.source(a)) < g.id(g.source(b));
  };
  std::sort(edges.begin(), edges.end(), weighs_more);
  edges.resize(std::min(edges.size(), kShown));
  for (const EdgeId e : edges) {
    const double weight = reward::counting_weight(view_, e, now_);
    line.grounds.push_back(edge_ground(e, is(e, kRewardNegative) ? -weight : weight));
  }
}

Ground Explainer::own_outcomes(NodeId n, const std::string& what, double value) {
  const std::string_view id = s_.graph().id(n);
  Ground ground{"its own: " + what, value, {}};
  for (const Event& e : events_about(folded_, {std::string(id)}, false, until_)) {
    const auto* outcome = std::get_if<OutcomeSignal>(&e.payload);
    if (outcome && e.subject == id && outcome->outcome != OutcomeKind::partial)
      ground.causes.push_back(cause_of(e));
  }
  keep_last(ground);
  return ground;
}

void Explainer::behind_failure_penalty(NodeId n, FactorLine& line) {
  const bool is_test = evidence_.is_test != 0;
  if (evidence_.penalised > 0 && reward::untried(view_, reward::Kinds(s_.graph()), n)) {
    line.formula += ", no outcome yet";
  } else if (is_test) {
    line.grounds.push_back(
        own_outcomes(n, fmt::format("failures {:.4g}", evidence_.penalised), evidence_.penalised));
  } else {
    line.grounds = grounds(
        n,
        [&](EdgeId e) { return is(e, kRewardNegative) && s_.graph().source(e) == kFrontierNode; },
        [](EdgeId, double w) { return w; });
  }
}

void Explainer::behind_urgency(NodeId n, FactorLine& line) {
  const auto& c = s_.graph().nodes();
  if (evidence_.priority != graph::kNoPriority) {
    const bool by_label = c.priority[n] == graph::kNoPriority;
    line.grounds.push_back(
        {fmt::format("P{}{}", evidence_.priority, by_label ? " by its labels" : ""), 0, {}});
  }
  if (c.due_at[n] != graph::kNever)
    line.grounds.push_back({fmt::format("due {}", format_rfc3339(c.due_at[n])), 0, {}});
}

// Of a test there are the same lines as of a task, so that the two can be compared.
void Explainer::lines(NodeId n, TaskExplanation& x) {
  struct Behind {
    double reward::Factors::*factor;
    void (Explainer::*say)(NodeId, FactorLine&);
  };
  using F = reward::Factors;
  static constexpr Behind kBehind[] = {
      {&F::recency, &Explainer::behind_recency},
      {&F::time_proximity, &Explainer::behind_time_proximity},
      {&F::order_proximity, &Explainer::behind_order_proximity},
      {&F::context_overlap, &Explainer::behind_context_overlap},
      {&F::reward, &Explainer::behind_reward},
      {&F::success_rate, &Explainer::behind_success_rate},
      {&F::failure_penalty, &Explainer::behind_failure_penalty},
      {&F::urgency, &Explainer::behind_urgency},
  };
  const auto& p = view_.policy;
  const bool is_test = evidence_.is_test != 0;
  const std::string off = "off: a test is ordered by its failures";
  if (is_test) {
    x.lines.push_back({"semantic", x.factors.semantic, off, {}});
    x.lines.push_back({"structural", x.factors.structural, off, {}});
    x.lines.push_back({"base", x.factors.base, "test.base", {}});
  } else {
    x.lines.push_back(semantic(x));
    x.lines.push_back({"structural", x.factors.structural, "sum of weights inbound",
                       grounds(
                           n, [&](EdgeId e) { return view_.types[s_.graph().type(e)].structural; },
                           [](EdgeId, double w) { return w; })});
    x.lines.push_back({"base",
                       x.factors.base,
                       fmt::format("{} + {} * semantic + {} * structural", p.prior,
                                   p.semantic_weight, p.structural_weight),
                       {}});
  }
  for (const reward::Factor& factor : reward::factors()) {
    FactorLine& line = x.lines.emplace_back(
        FactorLine{std::string(factor.name), x.factors.*factor.value, off, {}});
    if (is_test && !factor.of_tests) continue;
    line.formula = factor.formula(p, evidence_);
    for (const Behind& behind : kBehind)
      if (behind.factor == factor.value) (this->*behind.say)(n, line);
  }
}

}  // namespace hebb
