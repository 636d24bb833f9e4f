#include "reward/ranking.h"

#include <algorithm>
#include <cassert>
#include <tuple>

#include "reward/evidence.h"
#include "reward/factors.h"
#include "reward/readiness.h"

namespace hebb::reward {
namespace {

using graph::EdgeId;
using graph::kNever;
using graph::NodeId;

// The factors of a priority, in the order in which they are multiplied, and whether what each reads
// differs.
constexpr struct {
  double (*of)(const Policy&, const Evidence&);
  double Factors::*result;
  bool (*differs)(const Evidence& a, const Evidence& b);
} kFactors[] = {
    {recency, &Factors::recency,
     [](const Evidence& a, const Evidence& b) {
       return a.now != b.now || a.last_activity != b.last_activity;
     }},
    {time_proximity, &Factors::time_proximity,
     [](const Evidence& a, const Evidence& b) {
       return a.anchor != b.anchor || a.created_at != b.created_at;
     }},
    {order_proximity, &Factors::order_proximity,
     [](const Evidence& a, const Evidence& b) {
       return a.filed_between != b.filed_between || a.failures != b.failures;
     }},
    {context_overlap, &Factors::context_overlap,
     [](const Evidence& a, const Evidence& b) { return a.overlap != b.overlap; }},
    {reward, &Factors::reward,
     [](const Evidence& a, const Evidence& b) { return a.rewards != b.rewards; }},
    {success_rate, &Factors::success_rate,
     [](const Evidence& a, const Evidence& b) {
       return a.successes != b.successes || a.failures != b.failures || a.general != b.general;
     }},
    {failure_penalty, &Factors::failure_penalty,
     [](const Evidence& a, const Evidence& b) { return a.penalised != b.penalised; }},
    {urgency, &Factors::urgency,
     [](const Evidence& a, const Evidence& b) {
       return a.now != b.now || a.priority != b.priority || a.due_at != b.due_at;
     }},
};

double product(const Factors& f) {
  double priority = f.base;
  for (const auto& factor : kFactors) priority *= f.*factor.result;
  return priority;
}

// See Focus::filed. O(nodes log nodes), and O(nodes) where ids were given in the order of filing.
std::vector<std::uint32_t> filing_order(const View& view) {
  const Kinds kinds(view.graph);
  std::vector<NodeId> order;
  for (NodeId n = 0; n < view.graph.node_bound(); ++n) {
    if (is_filed(view, kinds, n)) order.push_back(n);
  }
  const auto before = [&](NodeId a, NodeId b) { return filed_before(view.graph, a, b); };
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

// The `count` nodes completed last, latest first.
std::vector<NodeId> completed_last(const View& view, std::size_t count) {
  const graph::NodeColumns& nodes = view.graph.nodes();
  const auto later = [&](NodeId a, NodeId b) {
    if (nodes.completed_at[a] != nodes.completed_at[b]) {
      return nodes.completed_at[a] > nodes.completed_at[b];
    }
    return view.graph.id(a) < view.graph.id(b);
  };
  const Kinds kinds(view.graph);
  std::vector<NodeId> last;
  for (NodeId n = 0; n < view.graph.node_bound(); ++n) {
    if (nodes.completed_at[n] == kNever || !exists(view, n) || is_test(view, kinds, n)) continue;
    if (last.size() == count && !later(n, last.back())) continue;
    if (last.size() == count) last.pop_back();
    last.insert(std::upper_bound(last.begin(), last.end(), n, later), n);
  }
  return last;
}

std::size_t completed_for_focus(const Policy& policy) {
  return static_cast<std::size_t>(std::max(policy.frontier_tasks, policy.order_proximity_tasks));
}

bool is_filed(const View& view, const Kinds& kinds, NodeId n) {
  return n != view.frontier && exists(view, n) && view.graph.nodes().state[n] != 0 &&
         !is_test(view, kinds, n);
}

bool filed_before(const graph::Graph& g, NodeId a, NodeId b) {
  const auto& created_at = g.nodes().created_at;
  return created_at[a] != created_at[b] ? created_at[a] < created_at[b] : g.id(a) < g.id(b);
}

Focus focus_from(const View& view, TimeMs now, std::vector<NodeId> tasks,
                 std::span<const std::uint32_t> filed) {
  Focus result;
  if (tasks.empty()) return result;
  const auto near = static_cast<std::size_t>(view.policy.frontier_tasks);
  const auto work = static_cast<std::size_t>(view.policy.order_proximity_tasks);
  result.completed.assign(
      tasks.begin(), tasks.begin() + static_cast<std::ptrdiff_t>(std::min(work, tasks.size())));
  result.filed = filed;
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

Focus focus(const View& view, TimeMs now) {
  std::vector<NodeId> tasks = completed_last(view, completed_for_focus(view.policy));
  std::shared_ptr<std::vector<std::uint32_t>> filed;
  if (!tasks.empty() && view.policy.order_proximity_exponent > 0)
    filed = std::make_shared<std::vector<std::uint32_t>>(filing_order(view));
  Focus result =
      focus_from(view, now, std::move(tasks),
                 filed ? std::span<const std::uint32_t>(*filed) : std::span<const std::uint32_t>());
  result.filed_memory = std::move(filed);
  return result;
}

std::vector<NodeId> blockers(const View& view, NodeId n, TimeMs now) {
  std::vector<NodeId> found;
  for (const Obstacle& o : Readiness(view, now).obstacles(n)) {
    if (o.kind == Obstacle::Kind::blocks || o.kind == Obstacle::Kind::waits_for)
      found.push_back(o.node);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

bool is_candidate(const View& view, NodeId n, TimeMs now) {
  return Readiness(view, now).is_candidate(n);
}

TimeMs last_activity(const View& view, NodeId n) {
  Evidence evidence;
  std::vector<NodeId> contexts;
  gather_own(view, Kinds(view.graph), n, 0, contexts, evidence);  // at any time
  return evidence.last_activity;
}

Factors factors(const View& view, const Focus& focus, NodeId n, TimeMs now) {
  Factors result;
  multiply(view.policy, evidence_of(view, focus, n, now), nullptr, result);
  return result;
}

namespace {

// Nothing counts of a test but its own failures and what people say.
void multiply_test(const Policy& policy, const Evidence& evidence, Factors& f) {
  f = {};
  f.base = base(policy, evidence);
  f.failure_penalty = failure_penalty(policy, evidence);
  f.urgency = urgency(policy, evidence);
  f.priority = product(f);
}

}  // namespace

void multiply(const Policy& policy, const Evidence& evidence, const Evidence* before, Factors& f) {
  if (evidence.is_test != 0) return multiply_test(policy, evidence, f);
  f.semantic = semantic(policy, evidence);
  f.structural = evidence.structural;
  f.base = base(policy, evidence);
  for (const auto& factor : kFactors) {
    if (before == nullptr || factor.differs(*before, evidence))
      f.*factor.result = factor.of(policy, evidence);
  }
  f.priority = product(f);
}

Factors factors_of_new(const View& view, const Focus& focus, TimeMs now, bool is_test) {
  const Policy& policy = view.policy;
  Evidence evidence;
  Factors result;
  if (is_test && policy.test_by_failures) {
    evidence.is_test = 1;
    evidence.penalised = policy.test_untried_failures;
    multiply(policy, evidence, nullptr, result);
    return result;
  }
  evidence.general = general_rate(view, focus, now);
  evidence.created_at = evidence.last_activity = evidence.now;
  evidence.penalised = policy.untried_failures;
  multiply(policy, evidence, nullptr, result);
  return result;
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
  std::vector<std::size_t> general;  // places of those without contexts
};

Ranker::Ranker() : scratch_(std::make_unique<Scratch>()) {}
Ranker::~Ranker() = default;
Ranker::Ranker(Ranker&&) noexcept = default;
Ranker& Ranker::operator=(Ranker&&) noexcept = default;

void Ranker::score(const View& view, const Focus& focus, TimeMs now, std::vector<Ranked>& out) {
  const Kinds kinds(view.graph);
  Readiness readiness(view, now);
  ContextCache& cache = scratch_->contexts;
  cache.begin(view.graph.node_bound());
  std::vector<std::size_t>& without = scratch_->general;
  without.clear();
  out.clear();
  Evidence evidence;
  for (NodeId n = 0; n < view.graph.node_bound(); ++n) {
    if (!readiness.is_candidate(n)) continue;
    gather(view, kinds, focus, n, now, &cache, evidence);
    if (cache.targets.empty() && evidence.is_test == 0) without.push_back(out.size());
    multiply(view.policy, evidence, nullptr, out.emplace_back(Ranked{n, {}}).factors);
  }
  // Known only now that the contexts of all were met.
  const ContextEvidence& all = cache.all();
  const double general = general_rate(view.policy, all.successes.value(), all.failures.value());
  for (const std::size_t i : without) {
    out[i].factors.success_rate *= general;
    out[i].factors.priority = product(out[i].factors);
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
