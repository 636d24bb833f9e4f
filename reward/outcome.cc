#include "reward/outcome.h"

#include <algorithm>
#include <cmath>

#include "reward/evidence.h"

namespace hebb::reward {
namespace {

using graph::EdgeId;
using graph::NodeId;
using graph::TypeId;

class Finder {
 public:
  Finder(const View& view, NodeId task, TimeMs now)
      : view_(view), g_(view.graph), kinds_(view.graph), task_(task), now_(now) {}

  std::vector<NodeId> related() {
    if (is_test(view_, kinds_, task_)) return {};
    for (const EdgeId e : g_.out_edges(task_)) consider_neighbour(e, g_.target(e));
    for (const EdgeId e : g_.in_edges(task_)) consider_neighbour(e, g_.source(e));
    for (const EdgeId e : g_.in_edges(task_)) {
      if (g_.type(e) == kinds_.parent_of && counts(e)) consider_children(g_.source(e));
    }
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    std::sort(found_.begin(), found_.end(), [&](NodeId a, NodeId b) { return newer(a, b); });
    return first_without_containers();
  }

 private:
  bool counts(EdgeId e) const { return counting_weight(view_, e, now_) > 0; }

  bool is_open_task(NodeId n) const {
    return is_open(view_, kinds_, n) && !is_test(view_, kinds_, n);
  }

  void consider(NodeId n) {
    if (n != task_ && n != view_.frontier && is_open_task(n)) found_.push_back(n);
  }

  void consider_neighbour(EdgeId e, NodeId neighbour) {
    const TypeId type = g_.type(e);
    if (type == kinds_.blocks || type == kinds_.guides || type == kinds_.reward_positive ||
        type == kinds_.reward_negative) {
      return;
    }
    if (counts(e)) consider(neighbour);
  }

  void consider_children(NodeId parent) {
    for (const EdgeId e : g_.out_edges(parent)) {
      if (g_.type(e) == kinds_.parent_of && counts(e)) consider(g_.target(e));
    }
  }

  bool newer(NodeId a, NodeId b) const {
    const auto& created_at = g_.nodes().created_at;
    if (created_at[a] != created_at[b]) return created_at[a] > created_at[b];
    return g_.id(a) < g_.id(b);
  }

  bool is_container(NodeId n) const {
    const auto edges = g_.out_edges(n);
    return std::any_of(edges.begin(), edges.end(), [&](EdgeId e) {
      return g_.type(e) == kinds_.parent_of && is_open_task(g_.target(e)) && counts(e);
    });
  }

  std::vector<NodeId> first_without_containers() const {
    const auto most = static_cast<std::size_t>(view_.policy.max_related);
    std::vector<NodeId> kept;
    for (const NodeId n : found_) {
      if (kept.size() == most) break;
      if (!is_container(n)) kept.push_back(n);
    }
    return kept;
  }

  const View& view_;
  const graph::Graph& g_;
  const Kinds kinds_;
  const NodeId task_;
  const TimeMs now_;
  std::vector<NodeId> found_;
};

}  // namespace

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
  own = {0, own.failures * policy.test_forgiveness, at};
}

void add_failure_of_test(const Policy& policy, OwnOutcomes& own, TimeMs at) {
  own = {0, std::min(own.failures + 1, policy.test_most_failures), at};
}

std::vector<NodeId> related(const View& view, NodeId task, TimeMs now) {
  return Finder(view, task, now).related();
}

std::vector<NodeId> contexts(const View& view, NodeId task, TimeMs now) {
  std::vector<NodeId> targets;
  contexts(view, task, now, targets);
  return targets;
}

}  // namespace hebb::reward
