#include "engine/explain.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "engine/cause.h"
#include "engine/edge_history.h"
#include "engine/fold/edge_rules.h"
#include "engine/rank_graph.h"
#include "engine/why_not.h"
#include "reward/evidence.h"
#include "reward/outcome.h"

namespace hebb {

using graph::EdgeId;
using graph::NodeId;

namespace {

constexpr std::size_t kCausesShown = 5;

void keep_last(Ground& ground) {
  ground.cause_count = ground.causes.size();
  const auto shown = static_cast<std::ptrdiff_t>(std::min(ground.causes.size(), kCausesShown));
  ground.causes.erase(ground.causes.begin(), ground.causes.end() - shown);
}

// Builds the explanation of one task.
class Explainer {
 public:
  // kept: as of `now`, if there is one.
  Explainer(Engine& engine, const State& s, const reward::Standings* kept, TimeMs now, TimeMs until)
      : engine_(engine),
        s_(s),
        kept_(kept),
        view_(s.view()),
        focus_(kept ? kept->focus() : reward::focus(view_, now)),
        now_(now),
        until_(until) {}

  TaskExplanation run(std::string_view id) {
    TaskExplanation x;
    x.id = id;
    x.at = now_;
    const auto n = s_.find(id);
    if (!n) {
      x.why_not = "unknown: there is no such node";
      return x;
    }
    const auto& c = s_.graph().nodes();
    x.name = engine_.content(id).name.value_or("");
    x.type = s_.graph().node_types().name(c.type[*n]);
    x.state = s_.graph().states().name(c.state[*n]);
    x.pinned = c.pinned[*n] != 0;
    x.why_not = why_not(*n, x);
    const reward::Standing* row = kept_ ? kept_->find(*n) : nullptr;
    if (row && row->is_blocked == 0) {
      evidence_ = row->evidence;
      x.factors = row->factors;
    } else {
      evidence_ = reward::evidence_of(view_, focus_, *n, now_);
      reward::multiply(view_.policy, evidence_, nullptr, x.factors);
    }
    if (x.why_not.empty()) place(*n, x);
    lines(*n, x);
    if (x.state.empty()) x.history = history(id);
    return x;
  }

 private:
  std::string why_not(NodeId n, TaskExplanation& x) const {
    const auto& c = s_.graph().nodes();
    if (c.deleted_at[n] != graph::kNever) return "deleted";
    if (x.state != kOpen) {
      return x.state.empty() ? "not a task: it has no state"
                             : fmt::format("its state is {}", x.state);
    }
    for (const NodeId b : reward::blockers(view_, n, now_))
      x.blockers.emplace_back(s_.graph().id(b));
    reward::Readiness readiness(view_, now_);
    if (n == s_.frontier()) return "not a task";
    return fmt::format("{}", fmt::join(why_not_ready(view_, readiness, n), "; "));
  }

  void place(NodeId n, TaskExplanation& x) const {
    const reward::Ranked own{n, x.factors};
    double largest = 0;  // the first's, but for pinned ones
    x.ranked = true;
    x.rank = 1;
    const auto meet = [&](const reward::Ranked& r) {
      ++x.candidates;
      x.rank += r.node != n && reward::better(s_.graph(), r, own);
      largest = std::max(largest, r.factors.priority);
    };
    if (kept_) {
      for (const reward::Standing& row : kept_->open()) {
        if (row.is_blocked == 0) meet({row.node, row.factors});
      }
    } else {
      std::vector<reward::Ranked> all;
      reward::Ranker().score(view_, focus_, now_, all);
      for (const reward::Ranked& r : all) meet(r);
    }
    x.relative = largest > 0 ? x.factors.priority / largest : 0;
  }

  reward::ContextEvidence seen_in(NodeId context) const {
    if (kept_) return kept_->context(view_, context);
    return reward::context_evidence(view_, reward::Kinds(s_.graph()), context, now_);
  }

  std::vector<Cause> history(std::string_view id) {
    std::vector<Cause> own, links;
    for (const Event& e : engine_.events_of_node(id, until_)) {
      if (const auto* forget = std::get_if<Forget>(&e.payload)) {
        const auto& nodes = forget->nodes;
        if (std::find(nodes.begin(), nodes.end(), id) == nodes.end()) continue;
      }
      const bool is_link = std::holds_alternative<Link>(e.payload);
      (is_link ? links : own).push_back(cause_of(e));
    }
    const std::size_t shown = std::min(links.size(), kCausesShown);
    own.insert(own.end(), links.end() - static_cast<std::ptrdiff_t>(shown), links.end());
    return own;
  }

  EdgeName name(EdgeId e) const {
    const auto& g = s_.graph();
    return {std::string(g.id(g.source(e))), std::string(g.id(g.target(e))),
            g.edge_types().name(g.type(e))};
  }
  Ground edge_ground(EdgeId e, double value) {
    const EdgeName edge = name(e);
    Ground ground{fmt::format("{} -{}-> {}", edge.source, edge.type, edge.target), value, {}};
    replay_edge(s_, edge, engine_.events_of_edge(edge, until_),
                [&](const Event& ev, const std::string&, auto, auto) {
                  if (!ground.causes.empty() && ground.causes.back().event == ev.position) return;
                  ground.causes.push_back(cause_of(ev));
                });
    keep_last(ground);
    return ground;
  }

  // The inbound edges that count and for which want(edge) holds, by value(edge, weight), largest
  // first.
  template <class Want, class Value>
  std::vector<Ground> grounds(NodeId n, Want want, Value value) {
    std::vector<Ground> found;
    for (const EdgeId e : s_.graph().in_edges(n)) {
      const double w = reward::counting_weight(view_, e, now_);
      if (w > 0 && want(e)) found.push_back(edge_ground(e, value(e, w)));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Ground& a, const Ground& b) { return a.value > b.value; });
    return found;
  }

  bool is(EdgeId e, std::string_view type) const {
    return s_.graph().edge_types().name(s_.graph().type(e)) == type;
  }

  void lines(NodeId n, TaskExplanation& x);
  FactorLine semantic(const TaskExplanation& x);
  FactorLine recency(NodeId n, const TaskExplanation& x);
  FactorLine time_proximity(const TaskExplanation& x);
  FactorLine order_proximity(NodeId n, const TaskExplanation& x) const;
  FactorLine context_overlap(NodeId n, const TaskExplanation& x);
  FactorLine reward_line(NodeId n, const TaskExplanation& x);
  FactorLine success_rate(NodeId n, const TaskExplanation& x);
  std::string rate_text(double successes, double failures) const;
  Ground own_outcomes(const TaskExplanation& x, const std::string& what, double value);
  void lines_of_test(NodeId n, TaskExplanation& x);
  FactorLine urgency(NodeId n, const TaskExplanation& x);

  Engine& engine_;
  const State& s_;
  const reward::Standings* kept_;
  reward::View view_;
  reward::Focus focus_;
  reward::Evidence evidence_;  // of the task
  TimeMs now_, until_;
};

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
  const TimeMs last = reward::last_activity(view_, n);
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
    line.grounds.push_back({fmt::format("{} tasks were filed between it and {}, completed lately",
                                        between, s_.graph().id(done)),
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
    const auto evidence = seen_in(c);
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
    reward::Evidence evidence;
    evidence.now = now_;
    evidence.due_at = c.due_at[n];
    parts.push_back(fmt::format("(1 + {} * {:.4g})", p.due_weight, reward::lateness(evidence)));
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

}  // namespace

TaskExplanation explain_task(Engine& engine, std::string_view id, std::optional<TimeMs> as_of,
                             std::optional<TimeMs> now) {
  const auto moment = engine.one_moment();
  if (as_of) {
    engine.state();
    const State then = engine.state_as_of(*as_of);
    return Explainer(engine, then, nullptr, now.value_or(*as_of), *as_of).run(id);
  }
  const State& s = engine.state();
  const TimeMs at = now.value_or(s.stamp());
  return Explainer(engine, s, standings_at(engine, at), at, kEndOfTime).run(id);
}

TaskExplanation Engine::explain(std::string_view id, std::optional<TimeMs> as_of,
                                std::optional<TimeMs> now) {
  return explain_task(*this, id, as_of, now);
}

}  // namespace hebb
