#include "engine/explain.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "engine/cause.h"
#include "engine/fold/edge_rules.h"
#include "engine/rank_graph.h"
#include "reward/evidence.h"
#include "reward/outcome.h"

namespace hebb {

using graph::EdgeId;
using graph::NodeId;

namespace {

constexpr std::size_t kCausesShown = 5;
constexpr auto kMsPerMinute = static_cast<double>(reward::kMsPerMinute);
constexpr TimeMs kEnd = std::numeric_limits<TimeMs>::max();

// Whether e is a gc that removed one of the edge's ends, and so the edge.
bool forgets_end(const Event& e, const EdgeName& edge) {
  const auto* forget = std::get_if<Forget>(&e.payload);
  return forget && std::any_of(forget->nodes.begin(), forget->nodes.end(), [&](const auto& id) {
           return id == edge.source || id == edge.target;
         });
}

// Replays one edge; calls step(event, rule text, before, after).
template <class Step>
void replay(const State& policies, const EdgeName& edge, const std::vector<Event>& events,
            Step step) {
  std::optional<reward::Weight> weight;
  std::vector<EdgeRule> rules;
  for (const Event& e : events) {
    const reward::Policy& policy = policies.policy_at({e.at, e.key});
    const reward::TypePolicy& type = policy.type(edge.type);
    const auto effective = [&]() -> std::optional<double> {
      if (!weight) return std::nullopt;
      return reward::effective(type, weight->w, weight->t, e.at);
    };
    const auto apply = [&](const EdgeRule& rule, std::string text) {
      const auto before = effective();
      weight = apply_rule(rule, type, weight, e.at);
      step(e, std::move(text), before, effective());
    };
    const bool pivots_away = std::holds_alternative<Pivot>(e.payload) && edge.source == kFrontier &&
                             (e.subject != edge.target || edge.type != kStrategicPivot);
    if (pivots_away && weight && !type.is_protected) {
      apply({edge.source, edge.target, edge.type, Rule::scale, policy.pivot_factor},
            fmt::format("scale {}", policy.pivot_factor));
    }
    rules.clear();
    edge_rules(e, policy, rules);
    if (weight && forgets_end(e, edge))
      rules.push_back({edge.source, edge.target, edge.type, Rule::remove, 0});
    for (const EdgeRule& r : rules) {
      if (r.rule == Rule::remove && !weight) continue;
      if (r.source != edge.source || r.target != edge.target || r.type != edge.type) continue;
      if (!weight && r.rule == Rule::scale) continue;
      if (r.rule == Rule::remove) {
        apply(r, "remove");
      } else if (r.rule == Rule::strengthen) {
        apply(r, weight ? fmt::format("reinforce {} x {}", type.rate, r.x)
                        : fmt::format("create {}", r.x));
      } else {
        apply(r, fmt::format("{} {}", rule_name(r.rule), r.x));
      }
    }
  }
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
    if (!x.blockers.empty()) return fmt::format("blocked by {}", fmt::join(x.blockers, ", "));
    return reward::is_candidate(view_, n, now_) ? "" : "not a task";
  }

  void place(NodeId n, TaskExplanation& x) const {
    const reward::Ranked own{n, x.factors};
    double first = 0;
    x.ranked = true;
    x.rank = 1;
    const auto meet = [&](const reward::Ranked& r) {
      ++x.candidates;
      x.rank += r.node != n && reward::better(s_.graph(), r, own);
      first = std::max(first, r.factors.priority);
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
    x.relative = first > 0 ? x.factors.priority / first : 0;
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
    replay(s_, edge, engine_.events_of_edge(edge, until_),
           [&](const Event& ev, const std::string&, auto, auto) {
             if (!ground.causes.empty() && ground.causes.back().event == ev.position) return;
             ground.causes.push_back(cause_of(ev));
           });
    const auto extra = static_cast<std::ptrdiff_t>(ground.causes.size()) -
                       static_cast<std::ptrdiff_t>(kCausesShown);
    if (extra > 0) ground.causes.erase(ground.causes.begin(), ground.causes.begin() + extra);
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
  const double minutes = std::max(0.0, static_cast<double>(now_ - last) / kMsPerMinute);
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
  const double minutes =
      std::abs(static_cast<double>(created[n] - created[last.front()])) / kMsPerMinute;
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
  const auto& p = view_.policy;
  const double prior = p.success_rate_alpha / (p.success_rate_alpha + p.success_rate_beta);
  line.formula = fmt::format("((({0} + {2:.4g}) / ({1} + {2:.4g} + {3:.4g})) / {4:.4g}) ^ {5}",
                             p.success_rate_alpha, p.success_rate_alpha + p.success_rate_beta, good,
                             bad, prior, p.success_rate_exponent);
  if (line.value > 0 && line.value == p.success_rate_floor)
    line.formula += fmt::format(", at least {}", line.value);
  return line;
}

void Explainer::lines(NodeId n, TaskExplanation& x) {
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
  return Explainer(engine, s, standings_at(engine, at), at, kEnd).run(id);
}

EdgeExplanation explain_edge(Engine& engine, const EdgeName& edge, std::optional<TimeMs> as_of,
                             std::optional<TimeMs> now) {
  EdgeExplanation x;
  x.edge = edge;
  const State& current = engine.state();
  const auto events = engine.events_of_edge(edge, as_of.value_or(kEnd));
  std::optional<State> then;
  if (as_of) then.emplace(engine.state_as_of(*as_of));
  const State& s = then ? *then : current;
  replay(s, edge, events, [&](const Event& e, std::string rule, auto before, auto after) {
    x.steps.push_back({cause_of(e), std::move(rule), before, after});
    if (!before) x.properties = "{}";
    const auto* link = std::get_if<Link>(&e.payload);
    if (link && link->properties) x.properties = *link->properties;
  });
  const auto e = s.find_edge(edge);
  const TimeMs touched_at = e ? s.graph().edges().touched_at[*e] : 0;
  // Without a given time: the stored priorities' time, but not before the edge was last touched.
  x.at = now.value_or(as_of.value_or(std::max(s.stamp(), touched_at)));
  if (!e) return x;
  const auto& type = s.type_policy(s.graph().type(*e));
  x.exists = true;
  x.stored_weight = s.graph().edges().weight[*e];
  x.touched_at = touched_at;
  x.weight = reward::effective(type, x.stored_weight, x.touched_at, x.at);
  x.dormant = reward::dormant(type, x.stored_weight, x.touched_at, x.at);
  return x;
}

TaskExplanation Engine::explain(std::string_view id, std::optional<TimeMs> as_of,
                                std::optional<TimeMs> now) {
  return explain_task(*this, id, as_of, now);
}

EdgeExplanation Engine::explain(const EdgeName& edge, std::optional<TimeMs> as_of,
                                std::optional<TimeMs> now) {
  return explain_edge(*this, edge, as_of, now);
}

}  // namespace hebb
