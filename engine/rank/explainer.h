// Builds the explanation of one task: explain.cc calls it, explain_factors.cc its lines.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/current/events.h"
#include "engine/fold/edge_rules.h"
#include "engine/rank/cause.h"
#include "engine/rank/edge_history.h"
#include "engine/rank/explain.h"
#include "engine/rank/ranked.h"
#include "engine/rank/reasons.h"
#include "engine/rank/why_not.h"
#include "reward/evidence.h"
#include "reward/outcome.h"

namespace hebb {

class Explainer {
 public:
  Explainer(Folded& folded, const State& s, const RankedState& ranked, TimeMs until)
      : folded_(folded),
        s_(s),
        view_(ranked.view()),
        ranking_(ranked.ranking()),
        focus_(ranking_.focus()),
        now_(ranked.now()),
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
    x.name = folded_.content(id).name.value_or("");
    x.type = s_.graph().node_types().name(c.type[*n]);
    x.state = s_.graph().states().name(c.state[*n]);
    x.pinned = c.pinned[*n] != 0;
    x.why_not = why_not(*n, x);
    evidence_ = ranking_.evidence_of(view_, focus_, *n);
    reward::multiply(view_.policy, evidence_, nullptr, x.factors);
    if (x.why_not.empty()) place(*n, x);
    lines(*n, x);
    if (x.state.empty()) x.history = history(id);
    return x;
  }

 private:
  std::string why_not(graph::NodeId n, TaskExplanation& x) const {
    const auto& c = s_.graph().nodes();
    if (c.deleted_at[n] != graph::kNever) return "deleted";
    if (x.state != kOpen) {
      return x.state.empty() ? "not a task: it has no state"
                             : fmt::format("its state is {}", x.state);
    }
    for (const graph::NodeId b : reward::blockers(view_, n, now_))
      x.blockers.emplace_back(s_.graph().id(b));
    reward::Readiness readiness(view_, now_);
    if (n == kFrontierNode) return "not a task";
    return fmt::format("{}", fmt::join(why_not_ready(view_, readiness, n), "; "));
  }

  void place(graph::NodeId n, TaskExplanation& x) const {
    const reward::Ranked own{n, x.factors};
    double largest = 0;  // the first's, but for pinned ones
    MeanFactors mean;
    const reward::Kinds kinds(s_.graph());
    x.ranked = true;
    x.rank = 1;
    for (const reward::Candidate& row : ranking_.open()) {
      if (row.is_blocked != 0) continue;
      ++x.candidates;
      x.rank += row.node != n && reward::better(s_.graph(), {row.node, row.factors}, own);
      largest = std::max(largest, row.factors.priority);
      if (!reward::is_test(view_, kinds, row.node)) mean.add(row.factors);
    }
    x.relative = largest > 0 ? x.factors.priority / largest : 0;
    x.reasons = Reasons(view_, ranking_, focus_, mean, false).of(n, x.factors);
  }

  std::vector<Cause> history(std::string_view id) {
    std::vector<Cause> own, links;
    for (const Event& e : events_about(folded_, {std::string(id)}, false, until_)) {
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

  static constexpr std::size_t kCausesShown = 5;

  static void keep_last(Ground& ground) {
    ground.cause_count = ground.causes.size();
    const auto shown = static_cast<std::ptrdiff_t>(std::min(ground.causes.size(), kCausesShown));
    ground.causes.erase(ground.causes.begin(), ground.causes.end() - shown);
  }

  Ground edge_ground(graph::EdgeId e, double value) {
    const EdgeName edge = edge_name(s_.graph(), e);
    Ground ground{fmt::format("{} -{}-> {}", edge.source, edge.type, edge.target), value, {}};
    replay_edge(s_, edge, events_of(folded_, edge, until_),
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
  std::vector<Ground> grounds(graph::NodeId n, Want want, Value value) {
    std::vector<Ground> found;
    for (const graph::EdgeId e : s_.graph().in_edges(n)) {
      const double w = reward::counting_weight(view_, e, now_);
      if (w > 0 && want(e)) found.push_back(edge_ground(e, value(e, w)));
    }
    std::stable_sort(found.begin(), found.end(),
                     [](const Ground& a, const Ground& b) { return a.value > b.value; });
    return found;
  }

  bool is(graph::EdgeId e, std::string_view type) const {
    return s_.graph().edge_types().name(s_.graph().type(e)) == type;
  }

  void lines(graph::NodeId n, TaskExplanation& x);
  FactorLine semantic(const TaskExplanation& x);
  void add_outcomes_of(graph::NodeId label, FactorLine& line);
  Ground own_outcomes(graph::NodeId n, const std::string& what, double value);
  void behind_recency(graph::NodeId n, FactorLine& line);
  void behind_time_proximity(graph::NodeId n, FactorLine& line);
  void behind_order_proximity(graph::NodeId n, FactorLine& line);
  void behind_context_overlap(graph::NodeId n, FactorLine& line);
  void behind_reward(graph::NodeId n, FactorLine& line);
  void behind_success_rate(graph::NodeId n, FactorLine& line);
  void behind_failure_penalty(graph::NodeId n, FactorLine& line);
  void behind_urgency(graph::NodeId n, FactorLine& line);

  Folded& folded_;
  const State& s_;
  const reward::View& view_;
  const reward::Ranking& ranking_;
  const reward::Focus focus_;
  reward::Evidence evidence_;  // of the task
  TimeMs now_, until_;
};

}  // namespace hebb
