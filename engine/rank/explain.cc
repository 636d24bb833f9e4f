// Why a task has its place: one line for each factor, and what stands behind each.
#include "engine/rank/explain.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/current/events.h"
#include "engine/fold/edge_rules.h"
#include "engine/rank/cause.h"
#include "engine/rank/node_facts.h"
#include "engine/rank/ranked.h"
#include "engine/rank/reasons.h"
#include "engine/rank/why_not.h"
#include "engine/values/counted.h"
#include "reward/outcome.h"

namespace hebb {

using graph::EdgeId;
using graph::NodeId;

namespace {

constexpr std::size_t kCausesShown = 5;

class Explainer {
 public:
  Explainer(Folded& folded, const State& s, const RankedState& ranked, TimeMs until)
      : folded_(folded),
        s_(s),
        view_(ranked.view()),
        ranking_(ranked.ranking()),
        focus_(ranking_.focus()),
        times_(ranked.times()),
        common_(ranking_.common(view_)),
        until_(until) {}

  TaskExplanation run(std::string_view id) {
    TaskExplanation x;
    x.id = id;
    x.at = times_.now;
    const auto n = s_.find(id);
    if (!n) {
      x.why_not = "unknown: there is no such node";
      return x;
    }
    const auto& c = s_.graph().nodes();
    x.name = content_of(folded_, id).name.value_or("");
    x.type = s_.graph().node_types().name(c.type[*n]);
    x.state = s_.graph().states().name(c.state[*n]);
    x.why_not = why_not(*n, x);
    evidence_ = ranking_.evidence_of(view_, focus_, *n);
    reward::multiply(view_.policy, evidence_, nullptr, x.factors);
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
    for (const NodeId b : reward::blockers(view_, n, times_))
      x.blockers.emplace_back(s_.graph().id(b));
    reward::Readiness readiness(view_, times_);
    if (n == kFrontierNode) return "not a task";
    return fmt::format("{}", fmt::join(why_not_ready(view_, readiness, n), "; "));
  }

  void place(NodeId n, TaskExplanation& x) const {
    const reward::Ranked own{n, x.factors};
    reward::RelativePriority relative;
    MeanFactors mean;
    const reward::KnownNames kinds(s_.graph());
    x.ranked = true;
    x.tier = reward::tier_name(x.factors.tier);
    x.rank = 1;
    for (const reward::Candidate& row : ranking_.open()) {
      if (row.is_blocked != 0) continue;
      const reward::Factors& factors = ranking_.factors_of(row);
      ++x.candidates;
      x.rank += row.node != n && reward::goes_first(s_.graph(), {row.node, factors}, own);
      relative.add(factors.priority);
      if (!reward::is_test(view_, kinds, row.node)) mean.add(factors);
    }
    x.relative = relative.of(x.factors.priority);
    FactsOf facts(folded_, view_, times_.stamp);
    const auto reasons = reasons_for(view_, ranking_, focus_, mean, false, n, x.factors, facts);
    x.sentence = place_in_words(x.rank, x.candidates, reasons);
    for (const PlaceReason& reason : reasons) x.reasons.push_back(reason.words);
  }

  std::vector<Cause> history(std::string_view id) {
    std::vector<Cause> own, links;
    for (const Event& e : events_about(folded_, {std::string(id)}, false, until_)) {
      const auto* forget = std::get_if<Forget>(&e.payload);
      if (forget && forget->nodes.empty()) continue;  // an edge of it
      const bool is_link = std::holds_alternative<Link>(e.payload);
      (is_link ? links : own).push_back(cause_of(e));
    }
    const std::size_t shown = std::min(links.size(), kCausesShown);
    own.insert(own.end(), links.end() - static_cast<std::ptrdiff_t>(shown), links.end());
    return own;
  }

  // --- grounds -----------------------------------------------------------------------------------

  static void add(FactorLine& line, std::string what, double value = 0) {
    line.grounds.push_back({std::move(what), value, {}});
  }

  static void keep_last(Ground& ground) {
    ground.cause_count = ground.causes.size();
    const auto shown = static_cast<std::ptrdiff_t>(std::min(ground.causes.size(), kCausesShown));
    ground.causes.erase(ground.causes.begin(), ground.causes.end() - shown);
  }

  Ground edge_ground(EdgeId e, double value) {
    const EdgeName edge = edge_name(s_.graph(), e);
    Ground ground{fmt::format("{} -{}-> {}", edge.source, edge.type, edge.target), value, {}};
    replay_edge(s_, edge, events_in_effect(folded_, events_of(folded_, edge, until_), until_),
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
      const double w = reward::counting_weight(view_, e, times_.stamp);
      if (w > 0 && want(e)) found.push_back(edge_ground(e, value(e, w)));
    }
    std::ranges::stable_sort(found, std::greater<>(), &Ground::value);
    return found;
  }

  bool is(EdgeId e, std::string_view type) const {
    return s_.graph().edge_types().name(s_.graph().type(e)) == type;
  }

  // The tasks with the most evidence about a label.
  void add_outcomes_of(NodeId label, FactorLine& line) {
    constexpr std::size_t kShown = 3;
    const graph::Graph& g = s_.graph();
    std::vector<EdgeId> edges;
    for (const EdgeId e : g.in_edges(label)) {
      const bool is_outcome = is(e, kRewardPositive) || is(e, kRewardNegative);
      if (is_outcome && reward::counting_weight(view_, e, times_.stamp) > 0) edges.push_back(e);
    }
    std::ranges::sort(edges, [&](EdgeId a, EdgeId b) {
      const double x = reward::counting_weight(view_, a, times_.stamp);
      const double y = reward::counting_weight(view_, b, times_.stamp);
      return x != y ? x > y : g.id(g.source(a)) < g.id(g.source(b));
    });
    edges.resize(std::min(edges.size(), kShown));
    for (const EdgeId e : edges) {
      const double weight = reward::counting_weight(view_, e, times_.stamp);
      line.grounds.push_back(edge_ground(e, is(e, kRewardNegative) ? -weight : weight));
    }
  }

  Ground own_outcomes(NodeId n, const std::string& what, double value) {
    const std::string_view id = s_.graph().id(n);
    Ground ground{"its own: " + what, value, {}};
    auto events = events_about(folded_, {std::string(id)}, false, until_);
    for (const Event& e : events_in_effect(folded_, std::move(events), until_)) {
      const auto* outcome = std::get_if<OutcomeSignal>(&e.payload);
      if (outcome && e.subject == id && outcome->outcome != OutcomeKind::partial)
        ground.causes.push_back(cause_of(e));
    }
    keep_last(ground);
    return ground;
  }

  // --- what stands behind each factor; none has to say anything ----------------------------------

  void behind_semantic(FactorLine& line) {
    std::vector<NodeId> last = ranking_.completed();
    last.resize(std::min(last.size(), static_cast<std::size_t>(view_.policy.frontier_tasks)));
    for (const NodeId done : last)
      add(line, fmt::format("near to {}, completed last", s_.graph().id(done)));
    line.formula = line.value == 0 ? "no vector to compare"
                                   : fmt::format("1 / (L2 + {})", view_.policy.semantic_offset);
  }

  void behind_recency(NodeId n, FactorLine& line) {
    const auto& g = s_.graph();
    const TimeMs last = evidence_.last_activity;
    const double minutes = std::max(
        0.0, static_cast<double>(times_.now - last) / static_cast<double>(reward::kMsPerMinute));
    Ground ground{"last activity", minutes, {}};
    for (const Event& e : events_about(folded_, {std::string(g.id(n))}, false, until_)) {
      if (e.at == last) ground.causes.push_back(cause_of(e));
    }
    if (ground.causes.empty() && g.nodes().snoozed_until[n] == last)
      ground.what += ": its snooze ended";
    const auto by_edge = [&](EdgeId e) {
      if (ground.causes.empty() && g.edges().touched_at[e] == last)
        ground = edge_ground(e, minutes);
    };
    std::ranges::for_each(g.in_edges(n), by_edge);
    std::ranges::for_each(g.out_edges(n), by_edge);
    // Only the latest of the edge's causes is shown.
    std::erase_if(ground.causes, [&](const Cause& c) { return c.at != last; });
    ground.cause_count = ground.causes.size();
    line.grounds.push_back(std::move(ground));
  }

  void behind_time_proximity(NodeId n, FactorLine& line) {
    const auto last = ranking_.completed();
    if (last.empty()) return;
    const auto& created = s_.graph().nodes().created_at;
    const double minutes = std::abs(static_cast<double>(created[n] - created[last.front()])) /
                           static_cast<double>(reward::kMsPerMinute);
    add(line,
        fmt::format("created {:.1f} min from {}, completed last", minutes,
                    s_.graph().id(last.front())),
        minutes);
  }

  void behind_order_proximity(NodeId n, FactorLine& line) {
    if (evidence_.filed_between < 0) return;
    for (const NodeId done : focus_.completed) {
      const double between = reward::filed_between(focus_, n, done);
      if (between != evidence_.filed_between) continue;
      const std::string created =
          counted(static_cast<std::int64_t>(between), "task was created", "tasks were created");
      return add(
          line, fmt::format("{} between it and {}, completed lately", created, s_.graph().id(done)),
          between);
    }
  }

  void behind_context_overlap(NodeId n, FactorLine& line) {
    for (const NodeId c : reward::evidence_contexts(view_, n, times_.stamp)) {
      if (!std::ranges::binary_search(focus_.contexts, c)) continue;
      add(line, fmt::format("{}, also of {}, completed last", s_.graph().id(c),
                            s_.graph().id(focus_.completed.front())));
    }
  }

  void behind_reward(NodeId n, FactorLine& line) {
    line.grounds = grounds(
        n, [&](EdgeId e) { return is(e, kRewardPositive); },
        [&](EdgeId e, double) {
          return reward::faded_reward(view_, e, times_.stamp) * common_.rewards;
        });
  }

  void behind_success_rate(NodeId n, FactorLine& line) {
    const auto counts_text = [](double successes, double failures) {
      return fmt::format("successes {:.4g}, failures {:.4g}", successes, failures);
    };
    for (const NodeId c : reward::evidence_contexts(view_, n, times_.stamp)) {
      const auto evidence = ranking_.context(view_, c);
      const double s = evidence.successes.value() * common_.outcomes;
      const double u = evidence.failures.value() * common_.outcomes;
      add(line, fmt::format("{}: {}", s_.graph().id(c), counts_text(s, u)), s - u);
      add_outcomes_of(c, line);
    }
    if (evidence_.general != 1) {
      add(line, "it has no label: the rate of all labels of open tasks together",
          evidence_.general - 1);
    }
    const double s = evidence_.own_successes, u = evidence_.own_failures;
    if (s + u > 0) line.grounds.push_back(own_outcomes(n, counts_text(s, u), s - u));
  }

  void behind_failure_penalty(NodeId n, FactorLine& line) {
    if (evidence_.penalised > 0 && reward::untried(view_, reward::KnownNames(s_.graph()), n)) {
      line.formula += ", no outcome yet";
    } else if (evidence_.is_test != 0) {
      line.grounds.push_back(own_outcomes(n, fmt::format("failures {:.4g}", evidence_.penalised),
                                          evidence_.penalised));
    } else {
      line.grounds = grounds(
          n,
          [&](EdgeId e) { return is(e, kRewardNegative) && s_.graph().source(e) == kFrontierNode; },
          [&](EdgeId, double) { return evidence_.penalised; });
    }
  }

  void behind_urgency(NodeId n, FactorLine& line) {
    const auto& c = s_.graph().nodes();
    if (evidence_.priority != graph::kNoPriority) {
      const bool by_label = c.priority[n] == graph::kNoPriority;
      add(line, fmt::format("P{}{}", evidence_.priority, by_label ? " by its labels" : ""));
    }
    if (c.due_at[n] != graph::kNever) add(line, "due " + format_rfc3339(c.due_at[n]));
  }

  // Behind an exponent that differs from what is set.
  std::string note_of_learned(std::string_view factor) const {
    const auto exponent =
        std::ranges::find(reward::kLearnedExponents, factor, &reward::LearnedExponent::factor);
    if (exponent == reward::kLearnedExponents.end()) return "";
    if (exponent->is_base_of_power && evidence_.priority == graph::kNoPriority) return "";
    const double set = s_.policy().*exponent->setting;
    return view_.policy.*exponent->setting == set ? ""
                                                  : fmt::format(" (set: {:.4g}; learned)", set);
  }

  struct Behind {
    double reward::Factors::*factor;
    void (Explainer::*say)(NodeId, FactorLine&);
  };

  // A test gets the same lines as a task, so that the two can be compared.
  void lines(NodeId n, TaskExplanation& x) {
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
    x.lines = {{"semantic", x.factors.semantic, off, {}},
               {"structural", x.factors.structural, off, {}},
               {"base", x.factors.base, "test.base", {}}};
    if (!is_test) {
      behind_semantic(x.lines[0]);
      x.lines[1].formula = "sum of weights inbound";
      x.lines[1].grounds = grounds(
          n, [&](EdgeId e) { return view_.types[s_.graph().type(e)].structural; },
          [](EdgeId, double w) { return w; });
      x.lines[2].formula = fmt::format("{} + {} * semantic + {} * structural", p.prior,
                                       p.semantic_weight, p.structural_weight);
    }
    for (const reward::Factor& factor : reward::factors()) {
      FactorLine& line = x.lines.emplace_back(
          FactorLine{std::string(factor.name), x.factors.*factor.value, off, {}});
      if (is_test && !factor.of_tests) continue;
      line.formula = factor.formula(p, evidence_) + note_of_learned(factor.name);
      for (const Behind& behind : kBehind)
        if (behind.factor == factor.value) (this->*behind.say)(n, line);
    }
  }

  Folded& folded_;
  const State& s_;
  const reward::View& view_;
  const reward::Ranking& ranking_;
  const reward::Focus focus_;
  reward::Evidence evidence_;  // of the task
  const reward::Times times_;
  const reward::Common common_;
  const TimeMs until_;
};

}  // namespace

TaskExplanation explain(Folded& folded, std::string_view id, std::optional<TimeMs> as_of,
                        std::optional<TimeMs> now) {
  const auto moment = folded.storage().read_snapshot();
  State& s = folded.state();
  if (!as_of) {
    const RankedState ranked(s, s.facts().times(now), false);
    return Explainer(folded, s, ranked, kEndOfTime).run(id);
  }
  const State then = folded.as_of(*as_of);
  const RankedState ranked(then, now.value_or(*as_of), false);
  return Explainer(folded, then, ranked, *as_of).run(id);
}

}  // namespace hebb
