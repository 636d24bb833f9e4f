#include "reward/outcome.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reward/evidence.h"

namespace hebb::reward {

using graph::EdgeId;
using graph::NodeId;

double score(std::optional<double> given, std::optional<double> tests_passed,
             std::optional<double> tests_total) {
  if (given) return *given;
  if (tests_passed && tests_total && *tests_total > 0) return *tests_passed / *tests_total;
  return 1.0;
}

OwnOutcomes faded(const Policy& policy, const OwnOutcomes& own, TimeMs now) {
  const double half_life_ms = policy.evidence_half_life_days * static_cast<double>(kMsPerDay);
  const double kept = std::exp2(-ms_between(own.at, now) / half_life_ms);
  return {own.successes * kept, own.failures * kept, now};
}

void add_success(const Policy& policy, OwnOutcomes& own, double score, TimeMs at) {
  own = faded(policy, own, at);
  own.successes = std::min(own.successes + score, policy.type("REWARD_POSITIVE").cap);
  own.failures *= policy.forgiveness;
}

void add_failure(const Policy& policy, OwnOutcomes& own, TimeMs at) {
  // At one instant failures say the same thing again, which the failure penalty counts. Evidence is
  // a failure again: as much of one as the penalty has forgotten of the last outcome by then.
  const TypePolicy& type = policy.type("REWARD_NEGATIVE");
  const double forgotten =
      own.at == graph::kNever ? 0 : 1 - std::pow(type.decay_per_day, days_between(own.at, at));
  own = faded(policy, own, at);
  own.failures = std::min(own.failures + forgotten, type.cap);
}

void add_success_of_test(const Policy& policy, OwnOutcomes& own, TimeMs at) {
  double left = own.failures * policy.test_forgiveness;
  // After a thousand successes it would round to 0, as if the test had never failed.
  if (left == 0 && own.failures > 0 && policy.test_forgiveness > 0)
    left = std::numeric_limits<double>::denorm_min();
  own = {0, left, at};
}

void add_failure_of_test(const Policy& policy, OwnOutcomes& own, TimeMs at) {
  own = {0, std::min(own.failures + 1, policy.test_most_failures), at};
}

std::vector<NodeId> related(const View& view, NodeId task, TimeMs now) {
  const graph::Graph& g = view.graph;
  const KnownNames kinds(g);
  if (is_test(view, kinds, task)) return {};
  const auto counts = [&](EdgeId e) { return counting_weight(view, e, now) > 0; };
  const auto is_open_task = [&](NodeId n) {
    return is_open(view, kinds, n) && !is_test(view, kinds, n);
  };
  std::vector<NodeId> found;
  const auto consider = [&](NodeId n) {
    if (n != task && n != view.frontier && is_open_task(n)) found.push_back(n);
  };
  const auto consider_neighbour = [&](EdgeId e, NodeId neighbour) {
    const graph::TypeId type = g.type(e);
    const bool relates = type != kinds.blocks && type != kinds.guides &&
                         type != kinds.reward_positive && type != kinds.reward_negative;
    if (relates && counts(e)) consider(neighbour);
  };
  for (const EdgeId e : g.out_edges(task)) consider_neighbour(e, g.target(e));
  for (const EdgeId e : g.in_edges(task)) {
    consider_neighbour(e, g.source(e));
    if (g.type(e) != kinds.parent_of || !counts(e)) continue;
    for (const EdgeId part : g.out_edges(g.source(e)))
      if (g.type(part) == kinds.parent_of && counts(part)) consider(g.target(part));
  }
  const auto& created_at = g.nodes().created_at;
  std::ranges::sort(found, [&](NodeId a, NodeId b) {
    if (created_at[a] != created_at[b]) return created_at[a] > created_at[b];
    return g.id(a) < g.id(b);
  });
  found.erase(std::unique(found.begin(), found.end()), found.end());
  const auto is_container = [&](EdgeId e) {
    return g.type(e) == kinds.parent_of && is_open_task(g.target(e)) && counts(e);
  };
  std::vector<NodeId> kept;
  for (const NodeId n : found) {
    if (kept.size() == static_cast<std::size_t>(view.policy.max_related)) break;
    if (std::ranges::none_of(g.out_edges(n), is_container)) kept.push_back(n);
  }
  return kept;
}

std::vector<NodeId> contexts(const View& view, NodeId task, TimeMs now) {
  std::vector<NodeId> targets;
  contexts(view, task, now, targets);
  return targets;
}

std::vector<NodeId> evidence_contexts(const View& view, NodeId task, TimeMs now) {
  std::vector<NodeId> targets;
  evidence_contexts(view, task, now, targets);
  return targets;
}

}  // namespace hebb::reward
