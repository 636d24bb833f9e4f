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

FactorLine Explainer::recency(NodeId n, const TaskExplanation& x) {
  const TimeMs last = evidence_.last_activity;
  const double minutes =
      std::max(0.0, static_cast<double>(now_ - last) / static_cast<double>(reward::kMsPerMinute));
  FactorLine line{"recency",
                  x.factors.recency,
                  fmt::format("(1 + {:.1f} min) ^ -{}", minutes, view_.policy.recency_exponent),
                  {}};
  Ground ground{"last activity", minutes, {}};
  for (const Event& e : engine_.events_of_node(x.id, until_)) {
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
  return line;
}

FactorLine Explainer::time_proximity(const TaskExplanation& x) {
  FactorLine line{
      "time_proximity",
      x.factors.time_proximity,
      fmt::format("(1 + min between creations) ^ -{}", view_.policy.time_proximity_exponent),
      {}};
  const auto last = reward::completed_last(view_);
  if (last.empty()) {
    line.formula = "nothing was completed yet";
    return line;
  }
  const auto& created = s_.graph().nodes().created_at;
  const NodeId n = *s_.find(x.id);
  const double minutes = std::abs(static_cast<double>(created[n] - created[last.front()])) /
                         static_cast<double>(reward::kMsPerMinute);
  line.formula =
      fmt::format("(1 + {:.1f} min) ^ -{}", minutes, view_.policy.time_proximity_exponent);
  line.grounds.push_back({fmt::format("created {:.1f} min from {}, completed last", minutes,
                                      s_.graph().id(last.front())),
                          minutes,
                          {}});
  return line;
}

FactorLine Explainer::order_proximity(NodeId n, const TaskExplanation& x) const {
  const auto& p = view_.policy;
  FactorLine line{"order_proximity", x.factors.order_proximity, "", {}};
  if (evidence_.filed_between < 0) {
    line.formula = p.order_proximity_exponent == 0 ? "off" : "nothing was completed yet";
    return line;
  }
  line.formula = fmt::format("(1 + {} filed between) ^ -({} / (1 + {:.4g} failures / {}))",
                             evidence_.filed_between, p.order_proximity_exponent,
                             evidence_.failures, p.order_proximity_failures);
  for (const NodeId done : focus_.completed) {
    const double between = reward::filed_between(focus_, n, done);
    if (between != evidence_.filed_between) continue;
    line.grounds.push_back({fmt::format("{} between it and {}, completed lately",
                                        counted(static_cast<std::int64_t>(between),
                                                "task was filed", "tasks were filed"),
                                        s_.graph().id(done)),
                            between,
                            {}});
    break;
  }
  return line;
}

FactorLine Explainer::context_overlap(NodeId n, const TaskExplanation& x) {
  FactorLine line{
      "context_overlap",
      x.factors.context_overlap,
      fmt::format("exp({} * {:.4g})", view_.policy.context_overlap_weight, evidence_.overlap),
      {}};
  for (const NodeId c : reward::contexts(view_, n, now_)) {
    if (!std::binary_search(focus_.contexts.begin(), focus_.contexts.end(), c)) continue;
    line.grounds.push_back({fmt::format("context {}, of {} as well, completed last",
                                        s_.graph().id(c), s_.graph().id(focus_.completed.front())),
                            0,
                            {}});
  }
  return line;
}

FactorLine Explainer::reward_line(NodeId n, const TaskExplanation& x) {
  const double half_life_ms =
      view_.policy.reward_half_life_hours * static_cast<double>(reward::kMsPerHour);
  FactorLine line{"reward", x.factors.reward, "", {}};
  line.grounds = grounds(
      n, [&](EdgeId e) { return is(e, kRewardPositive); },
      [&](EdgeId e, double) { return reward::faded(view_, e, now_, half_life_ms); });
  double sum = 0;
  for (const Ground& g : line.grounds) sum += g.value;
  line.formula = fmt::format("exp({} * R / (1 + R)), R = {:.4g}", view_.policy.reward_weight, sum);
  return line;
}

FactorLine Explainer::success_rate(NodeId n, const TaskExplanation& x) {
  FactorLine line{"success_rate", x.factors.success_rate, "", {}};
  double good = 0, bad = 0;
  for (const NodeId c : reward::contexts(view_, n, now_)) {
    const auto evidence = ranking_.context(view_, c);
    const double s = evidence.successes.value(), u = evidence.failures.value();
    line.grounds.push_back(
        {fmt::format("context {}: successes {:.4g}, failures {:.4g}", s_.graph().id(c), s, u),
         s - u,
         {}});
    good += s;
    bad += u;
  }
  line.formula = rate_text(good, bad);
  const double floor = view_.policy.success_rate_floor;
  if (floor > 0 && reward::rate(view_.policy, good, bad) <= floor)
    line.formula += fmt::format(", at least {}", floor);
  if (evidence_.general != 1) {
    line.formula = fmt::format("{:.4g}", evidence_.general);
    line.grounds.push_back({"it has no context: the rate of all contexts of open tasks together",
                            evidence_.general - 1,
                            {}});
  }
  if (evidence_.own_successes + evidence_.own_failures > 0) {
    line.formula += " * " + rate_text(evidence_.own_successes, evidence_.own_failures);
    line.grounds.push_back(
        own_outcomes(x,
                     fmt::format("successes {:.4g}, failures {:.4g}", evidence_.own_successes,
                                 evidence_.own_failures),
                     evidence_.own_successes - evidence_.own_failures));
  }
  return line;
}

std::string Explainer::rate_text(double successes, double failures) const {
  const auto& p = view_.policy;
  const double prior = p.success_rate_alpha / (p.success_rate_alpha + p.success_rate_beta);
  return fmt::format("((({0} + {2:.4g}) / ({1} + {2:.4g} + {3:.4g})) / {4:.4g}) ^ {5}",
                     p.success_rate_alpha, p.success_rate_alpha + p.success_rate_beta, successes,
                     failures, prior, p.success_rate_exponent);
}

Ground Explainer::own_outcomes(const TaskExplanation& x, const std::string& what, double value) {
  Ground ground{"its own: " + what, value, {}};
  for (const Event& e : engine_.events_of_node(x.id, until_)) {
    const auto* outcome = std::get_if<OutcomeSignal>(&e.payload);
    if (outcome && e.subject == x.id && outcome->outcome != OutcomeKind::partial)
      ground.causes.push_back(cause_of(e));
  }
  keep_last(ground);
  return ground;
}

FactorLine Explainer::urgency(NodeId n, const TaskExplanation& x) {
  const auto& c = s_.graph().nodes();
  const auto& p = view_.policy;
  FactorLine line{"urgency", x.factors.urgency, "nobody said anything", {}};
  std::vector<std::string> parts;
  if (c.priority[n] != graph::kNoPriority) {
    parts.push_back(fmt::format("{} ^ (2 - {})", p.urgency_base, c.priority[n]));
    line.grounds.push_back({fmt::format("P{}", c.priority[n]), 0, {}});
  }
  if (c.due_at[n] != graph::kNever) {
    parts.push_back(fmt::format("(1 + {} * {:.4g})", p.due_weight, reward::lateness(evidence_)));
    line.grounds.push_back({fmt::format("due {}", format_rfc3339(c.due_at[n])), 0, {}});
  }
  if (!parts.empty()) line.formula = fmt::format("{}", fmt::join(parts, " * "));
  return line;
}

// The same lines as of a task, so that the two can be compared.
void Explainer::lines_of_test(NodeId n, TaskExplanation& x) {
  const auto& p = view_.policy;
  const auto& f = x.factors;
  const std::pair<const char*, double> off[] = {
      {"recency", f.recency},
      {"time_proximity", f.time_proximity},
      {"order_proximity", f.order_proximity},
      {"context_overlap", f.context_overlap},
      {"reward", f.reward},
      {"success_rate", f.success_rate},
  };
  const auto add_off = [&](const char* name, double value) {
    x.lines.push_back({name, value, "off: a test is ordered by its failures", {}});
  };
  add_off("semantic", f.semantic);
  add_off("structural", f.structural);
  x.lines.push_back({"base", f.base, "test.base", {}});
  for (const auto& [name, value] : off) add_off(name, value);
  FactorLine failures{"failure_penalty",
                      f.failure_penalty,
                      fmt::format("{} ^ {:.4g}", p.test_failure_factor, evidence_.penalised),
                      {}};
  if (reward::untried(view_, reward::Kinds(s_.graph()), n)) {
    failures.formula += ", no outcome yet";
  } else {
    failures.grounds.push_back(
        own_outcomes(x, fmt::format("failures {:.4g}", evidence_.penalised), evidence_.penalised));
  }
  x.lines.push_back(std::move(failures));
  x.lines.push_back(urgency(n, x));
}

void Explainer::lines(NodeId n, TaskExplanation& x) {
  if (evidence_.is_test != 0) return lines_of_test(n, x);
  const auto weight = [](EdgeId, double w) { return w; };
  FactorLine structural{"structural", x.factors.structural, "sum of weights inbound", {}};
  structural.grounds = grounds(
      n, [&](EdgeId e) { return view_.types[s_.graph().type(e)].structural; }, weight);
  FactorLine failure_penalty{"failure_penalty",
                             x.factors.failure_penalty,
                             fmt::format("{} ^ 0", view_.policy.failure_penalty),
                             {}};
  failure_penalty.grounds = grounds(
      n, [&](EdgeId e) { return is(e, kRewardNegative) && s_.graph().source(e) == s_.frontier(); },
      weight);
  if (!failure_penalty.grounds.empty()) {
    failure_penalty.formula = fmt::format("{} ^ {:.4g}", view_.policy.failure_penalty,
                                          failure_penalty.grounds.front().value);
  } else if (view_.policy.untried_failures > 0 &&
             reward::untried(view_, reward::Kinds(s_.graph()), n)) {
    failure_penalty.formula = fmt::format("{} ^ {}, no outcome yet", view_.policy.failure_penalty,
                                          view_.policy.untried_failures);
  }
  const auto& p = view_.policy;
  x.lines.push_back(semantic(x));
  x.lines.push_back(std::move(structural));
  x.lines.push_back({"base",
                     x.factors.base,
                     fmt::format("{} + {} * semantic + {} * structural", p.prior, p.semantic_weight,
                                 p.structural_weight),
                     {}});
  x.lines.push_back(recency(n, x));
  x.lines.push_back(time_proximity(x));
  x.lines.push_back(order_proximity(n, x));
  x.lines.push_back(context_overlap(n, x));
  x.lines.push_back(reward_line(n, x));
  x.lines.push_back(success_rate(n, x));
  x.lines.push_back(std::move(failure_penalty));
  x.lines.push_back(urgency(n, x));
}

}  // namespace hebb
