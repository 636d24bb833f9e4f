#include "reward/ranking.h"

#include <algorithm>
#include <cassert>
#include <tuple>

#include "reward/evidence.h"
#include "reward/factors.h"

namespace hebb::reward {
namespace {

using graph::EdgeId;
using graph::kNever;
using graph::NodeId;

// The factors of a priority, in the order in which they are multiplied.
constexpr struct {
  double (*of)(const Policy&, const Evidence&);
  double Factors::*result;
} kFactors[] = {
    {recency, &Factors::recency},                //
    {time_proximity, &Factors::time_proximity},  //
    {order_proximity, &Factors::order_proximity},
    {context_overlap, &Factors::context_overlap},
    {reward, &Factors::reward},              //
    {success_rate, &Factors::success_rate},  //
    {failure_penalty, &Factors::failure_penalty},
    {urgency, &Factors::urgency},
};

Factors multiply(const Policy& policy, const Evidence& evidence) {
  Factors f;
  f.semantic = semantic(policy, evidence);
  f.structural = evidence.structural;
  f.base = base(policy, evidence);
  f.priority = f.base;
  for (const auto& factor : kFactors) {
    f.*factor.result = factor.of(policy, evidence);
    f.priority *= f.*factor.result;
  }
  return f;
}

// The `count` nodes completed last, latest first.
std::vector<NodeId> completed_last(const View& view, std::size_t count) {
  const graph::NodeColumns& nodes = view.graph.nodes();
  const auto later = [&](NodeId a, NodeId b) {
    if (nodes.completed_at[a] != nodes.completed_at[b]) {
      return nodes.completed_at[a] > nodes.completed_at[b];
    }
    return view.graph.id(a) < view.graph.id(b);
  };
  std::vector<NodeId> last;
  for (NodeId n = 0; n < view.graph.node_bound(); ++n) {
    if (nodes.completed_at[n] == kNever || !exists(view, n)) continue;
    if (last.size() == count && !later(n, last.back())) continue;
    if (last.size() == count) last.pop_back();
    last.insert(std::upper_bound(last.begin(), last.end(), n, later), n);
  }
  return last;
}

// See Focus::filed. O(nodes log nodes); O(nodes) if ids were given in the order of filing.
std::vector<std::uint32_t> filing_order(const View& view) {
  const graph::NodeColumns& nodes = view.graph.nodes();
  std::vector<NodeId> order;
  for (NodeId n = 0; n < view.graph.node_bound(); ++n) {
    if (n != view.frontier && exists(view, n) && nodes.state[n] != 0) order.push_back(n);
  }
  const auto before = [&](NodeId a, NodeId b) {
    if (nodes.created_at[a] != nodes.created_at[b])
      return nodes.created_at[a] < nodes.created_at[b];
    return view.graph.id(a) < view.graph.id(b);
  };
  if (!std::is_sorted(order.begin(), order.end(), before))
    std::sort(order.begin(), order.end(), before);
  std::vector<std::uint32_t> places(view.graph.node_bound(), kNotFiled);
  for (std::size_t i = 0; i < order.size(); ++i) places[order[i]] = static_cast<std::uint32_t>(i);
  return places;
}

}  // namespace

void TypeTable::cover(const Policy& policy, const graph::Names& edge_types) {
  for (std::size_t id = by_id_.size(); id < edge_types.size(); ++id) {
    const auto type = static_cast<graph::TypeId>(id);
    by_id_.push_back(policy.type(edge_types.name(type)));
    if (by_id_.back().context) contexts_.push_back(type);
  }
}

const TypePolicy& TypeTable::operator[](graph::TypeId type) const {
  assert(type < by_id_.size());
  return by_id_[type];
}

std::vector<NodeId> completed_last(const View& view) {
  assert(view.policy.frontier_tasks >= 1);
  return completed_last(view, static_cast<std::size_t>(view.policy.frontier_tasks));
}

Focus focus(const View& view, TimeMs now) {
  Focus result;
  const auto near = static_cast<std::size_t>(view.policy.frontier_tasks);
  const auto work = static_cast<std::size_t>(view.policy.order_proximity_tasks);
  std::vector<NodeId> tasks = completed_last(view, std::max(near, work));
  if (tasks.empty()) return result;
  result.completed.assign(
      tasks.begin(), tasks.begin() + static_cast<std::ptrdiff_t>(std::min(work, tasks.size())));
  if (view.policy.order_proximity_exponent > 0) result.filed = filing_order(view);
  contexts(view, tasks.front(), now, result.contexts);
  tasks.resize(std::min(near, tasks.size()));
  result.anchor = view.graph.nodes().created_at[tasks.front()];
  double count = 0;
  for (const NodeId task : tasks) {
    const std::span<const float> row = view.vectors.row(task);
    if (row.empty()) continue;
    result.vector.resize(row.size(), 0.0);
    for (std::size_t i = 0; i < row.size(); ++i) result.vector[i] += static_cast<double>(row[i]);
    ++count;
  }
  for (double& x : result.vector) x /= count;
  return result;
}

std::vector<NodeId> blockers(const View& view, NodeId n, TimeMs now) {
  const Kinds kinds(view.graph);
  std::vector<NodeId> found;
  for (const EdgeId e : view.graph.in_edges(n)) {
    const NodeId source = view.graph.source(e);
    if (view.graph.type(e) != kinds.blocks || !is_open(view, kinds, source)) continue;
    if (counting_weight(view, e, now) > 0) found.push_back(source);
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool is_candidate(const View& view, NodeId n, TimeMs now) {
  return n != view.frontier && is_open(view, Kinds(view.graph), n) && !is_snoozed(view, n, now) &&
         blockers(view, n, now).empty();
}

TimeMs last_activity(const View& view, NodeId n) {
  // Any time will do: last_activity does not depend on it.
  return evidence_of(view, {}, n, 0).last_activity;
}

Factors factors(const View& view, const Focus& focus, NodeId n, TimeMs now) {
  return multiply(view.policy, evidence_of(view, focus, n, now));
}

Factors factors_of_new(const Policy& policy) {
  Evidence evidence;
  evidence.created_at = evidence.last_activity = evidence.now;
  evidence.restrained = policy.untried_failures;
  return multiply(policy, evidence);
}

bool better(const graph::Graph& g, const Ranked& a, const Ranked& b) {
  const auto& pinned = g.nodes().pinned;
  if (pinned[a.node] != pinned[b.node]) return pinned[a.node] > pinned[b.node];
  if (a.factors.priority != b.factors.priority) return a.factors.priority > b.factors.priority;
  if (a.factors.base != b.factors.base) return a.factors.base > b.factors.base;
  const TimeMs created_a = g.nodes().created_at[a.node];
  const TimeMs created_b = g.nodes().created_at[b.node];
  if (created_a != created_b) return created_a < created_b;
  return g.id(a.node) < g.id(b.node);
}

struct Ranker::Scratch {
  ContextCache contexts;
};

Ranker::Ranker() : scratch_(std::make_unique<Scratch>()) {}
Ranker::~Ranker() = default;
Ranker::Ranker(Ranker&&) noexcept = default;
Ranker& Ranker::operator=(Ranker&&) noexcept = default;

void Ranker::score(const View& view, const Focus& focus, TimeMs now, std::vector<Ranked>& out) {
  const Kinds kinds(view.graph);
  ContextCache& cache = scratch_->contexts;
  cache.begin(view.graph.node_bound());
  out.clear();
  Evidence evidence;
  for (NodeId n = 0; n < view.graph.node_bound(); ++n) {
    if (n == view.frontier || !is_open(view, kinds, n) || is_snoozed(view, n, now)) continue;
    if (!gather(view, kinds, focus, n, now, Gate::respect, &cache, evidence)) continue;
    out.push_back({n, multiply(view.policy, evidence)});
  }
}

void Ranker::rank(const View& view, const Focus& focus, TimeMs now, std::vector<Ranked>& out) {
  score(view, focus, now, out);
  std::sort(out.begin(), out.end(),
            [&](const Ranked& a, const Ranked& b) { return better(view.graph, a, b); });
}

std::vector<Ranked> rank(const View& view, const Focus& focus, TimeMs now) {
  std::vector<Ranked> out;
  Ranker().rank(view, focus, now, out);
  return out;
}

}  // namespace hebb::reward
