#include "reward/evidence.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <unordered_set>

#include <Eigen/Core>

#include "reward/outcome.h"
#include "reward/readiness.h"
#include "reward/states.h"

namespace hebb::reward {
namespace {

using graph::EdgeId;
using graph::kNever;
using graph::NodeId;
using graph::TypeId;

// How many days a task takes of which nobody said how long it takes.
constexpr double kDaysOfTask = 1;

constexpr std::uint32_t kNoName = 0x10000;
static_assert(kNoName > std::numeric_limits<TypeId>::max(), "equals no name's id");

std::uint32_t find(const graph::Names& names, std::string_view name) {
  const auto id = names.find(name);
  return id ? *id : kNoName;
}

bool is_inbound_activity(const Kinds& kinds, TypeId type) {
  return type == kinds.cross_references || type == kinds.resolves || type == kinds.parent_of;
}

// Reads the inbound edges in one pass.
void gather_inbound(const View& view, const Kinds& kinds, NodeId n, Evidence& out) {
  const graph::Graph& g = view.graph;
  const double half_life_ms = view.policy.reward_half_life_hours * static_cast<double>(kMsPerHour);
  ExactSum structural, rewards;
  double heaviest = 0;
  for (const EdgeId e : g.in_edges(n)) {
    const TypeId type = g.type(e);
    const NodeId source = g.source(e);
    if (!exists(view, source)) continue;
    if (is_inbound_activity(kinds, type)) {
      out.last_activity = std::max(out.last_activity, g.edges().touched_at[e]);
    }
    const bool is_structural = view.types[type].structural;
    const bool is_reward = type == kinds.reward_positive;
    const bool is_failure = type == kinds.reward_negative && source == view.frontier;
    if (!is_structural && !is_reward && !is_failure) continue;
    const double w = counting_weight(view, e, out.now);
    if (w == 0) continue;
    if (is_structural) structural.add(w);
    if (is_structural && w >= heaviest && w > 0) {
      if (w > heaviest || g.id(source) < g.id(out.linked_from)) out.linked_from = source;
      heaviest = w;
    }
    if (is_reward) rewards.add(faded(view, e, out.now, half_life_ms));
    if (is_failure) out.penalised = w;
  }
  out.structural = structural.value();
  out.rewards = rewards.value();
}

// Whether the task has a context edge to `context`, dormant or not: its outcomes stay evidence
// about that context. O(its out-edges) or O(types with `context`), whichever are fewer.
bool was_given_context(const View& view, NodeId task, NodeId context) {
  if (task == context) return false;
  const graph::Graph& g = view.graph;
  const std::span<const TypeId> types = view.types.contexts();
  const std::span<const EdgeId> edges = g.out_edges(task);
  if (edges.size() < types.size()) {
    return std::any_of(edges.begin(), edges.end(), [&](EdgeId e) {
      return g.target(e) == context && view.types[g.type(e)].context;
    });
  }
  return std::any_of(types.begin(), types.end(),
                     [&](TypeId type) { return g.find_edge(task, context, type).has_value(); });
}

// The latest time of the node's own activity and of its outbound edges, dormant ones too. Activity
// is progress: to edit a field is none.
TimeMs own_activity(const View& view, const Kinds& kinds, NodeId n) {
  const graph::Graph& g = view.graph;
  const graph::NodeColumns& nodes = g.nodes();
  TimeMs last = std::max({nodes.created_at[n], nodes.reopened_at[n], nodes.outcome_at[n]});
  if (!exists(view, n)) return last;
  for (const EdgeId e : g.out_edges(n)) {
    if (g.type(e) == kinds.labeled_as && exists(view, g.target(e)))
      last = std::max(last, g.edges().touched_at[e]);
  }
  return last;
}

}  // namespace

Kinds::Kinds(const graph::Graph& g)
    : open(find(g.states(), "OPEN")),
      closed(find(g.states(), "CLOSED")),
      blocked(find(g.states(), "BLOCKED")),
      deferred(find(g.states(), "DEFERRED")),
      reward_positive(find(g.edge_types(), "REWARD_POSITIVE")),
      reward_negative(find(g.edge_types(), "REWARD_NEGATIVE")),
      blocks(find(g.edge_types(), "BLOCKS")),
      waits_for(find(g.edge_types(), "WAITS_FOR")),
      waits_for_any(find(g.edge_types(), "WAITS_FOR_ANY")),
      guides(find(g.edge_types(), "GUIDES")),
      cross_references(find(g.edge_types(), "CROSS_REFERENCES")),
      resolves(find(g.edge_types(), "RESOLVES")),
      parent_of(find(g.edge_types(), "PARENT_OF")),
      labeled_as(find(g.edge_types(), "LABELED_AS")),
      test(find(g.node_types(), kTestType)) {}

bool exists(const View& view, NodeId n) {
  const graph::NodeColumns& nodes = view.graph.nodes();
  return n == view.frontier || (nodes.created_at[n] != kNever && nodes.deleted_at[n] == kNever);
}

bool is_test(const View& view, const Kinds& kinds, NodeId n) {
  return view.policy.test_by_failures && view.graph.nodes().type[n] == kinds.test;
}

bool is_open(const View& view, const Kinds& kinds, NodeId n) {
  return view.graph.nodes().state[n] == kinds.open && exists(view, n);
}

bool is_unfinished(const View& view, const Kinds& kinds, NodeId n) {
  const graph::NodeColumns& nodes = view.graph.nodes();
  const auto state = nodes.state[n];
  if (state == 0 || state == kinds.closed || !exists(view, n)) return false;
  if (nodes.completed_at[n] > nodes.reopened_at[n]) return false;  // each may be kNever
  return state == kinds.open || !is_over(view.graph.states().name(state));
}

bool is_snoozed(const View& view, NodeId n, TimeMs now) {
  return view.graph.nodes().snoozed_until[n] > now;
}

double counting_weight(const View& view, EdgeId e, TimeMs now) {
  const graph::Graph& g = view.graph;
  if (!exists(view, g.source(e)) || !exists(view, g.target(e))) return 0;
  const TypePolicy& p = view.types[g.type(e)];
  const double w = effective(p, g.edges().weight[e], g.edges().touched_at[e], now);
  return !p.is_protected && w < p.dormant_below ? 0 : w;
}

void contexts(const View& view, NodeId task, TimeMs now, std::vector<NodeId>& targets) {
  const graph::Graph& g = view.graph;
  targets.clear();
  for (const EdgeId e : g.out_edges(task)) {
    const NodeId target = g.target(e);
    if (!view.types[g.type(e)].context || target == task || target == view.frontier) continue;
    if (counting_weight(view, e, now) > 0) targets.push_back(target);
  }
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
}

double faded(const View& view, EdgeId e, TimeMs now, double half_life_ms) {
  const graph::EdgeColumns& edges = view.graph.edges();
  return edges.weight[e] * std::exp2(-ms_between(edges.touched_at[e], now) / half_life_ms);
}

ContextEvidence context_evidence(const View& view, const Kinds& kinds, NodeId context, TimeMs now) {
  const double half_life_ms = view.policy.evidence_half_life_days * static_cast<double>(kMsPerDay);
  ContextEvidence sums;
  for (const EdgeId e : view.graph.in_edges(context)) {
    const TypeId type = view.graph.type(e);
    if (type != kinds.reward_positive && type != kinds.reward_negative) continue;
    if (counting_weight(view, e, now) == 0) continue;
    const NodeId source = view.graph.source(e);
    if (is_test(view, kinds, source) || !was_given_context(view, source, context)) continue;
    ExactSum& sum = type == kinds.reward_positive ? sums.successes : sums.failures;
    sum.add(faded(view, e, now, half_life_ms));
  }
  return sums;
}

bool untried(const View& view, const Kinds& kinds, NodeId n) {
  const graph::NodeColumns& nodes = view.graph.nodes();
  if (nodes.outcome_at[n] != kNever || nodes.completed_at[n] != kNever) return false;
  const auto& in = view.graph.in_edges(n);
  return std::none_of(in.begin(), in.end(), [&](EdgeId e) {
    return view.graph.type(e) == kinds.reward_negative && view.graph.source(e) == view.frontier;
  });
}

double filed_between(const Focus& focus, NodeId n, NodeId done) {
  const auto place = [&](NodeId m) { return m < focus.filed.size() ? focus.filed[m] : kNotFiled; };
  if (place(n) == kNotFiled || place(done) == kNotFiled) return -1;
  const double apart = static_cast<double>(place(n)) - static_cast<double>(place(done));
  return std::max(std::abs(apart) - 1, 0.0);
}

double distance(std::span<const double> focus, std::span<const float> row) {
  if (focus.empty() || row.empty()) return -1;
  double sum = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const double d = focus[i] - static_cast<double>(row[i]);
    sum += d * d;
  }
  return std::sqrt(sum);
}

namespace {

// Each sum is taken in the order of the numbers, so none can be vectorised alone; side by side the
// processor has four additions under way at a time.
Eigen::Array4d distances_of_four(std::span<const double> focus, const float* a, const float* b,
                                 const float* c, const float* d) {
  Eigen::Array4d sum = Eigen::Array4d::Zero();
  for (std::size_t i = 0; i < focus.size(); ++i) {
    const Eigen::Array4d x = Eigen::Array4f(a[i], b[i], c[i], d[i]).cast<double>();
    sum += (focus[i] - x).square();
  }
  return sum.sqrt();
}

}  // namespace

std::vector<double> distances(std::span<const double> focus,
                              std::span<const std::span<const float>> rows) {
  std::vector<double> apart(rows.size(), -1);
  std::size_t four[4] = {};
  std::size_t used = 0;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (focus.empty() || rows[r].empty()) continue;
    assert(focus.size() == rows[r].size());
    four[used++] = r;
    if (used < 4) continue;
    used = 0;
    const Eigen::Array4d found =
        distances_of_four(focus, rows[four[0]].data(), rows[four[1]].data(), rows[four[2]].data(),
                          rows[four[3]].data());
    for (int k = 0; k < 4; ++k) apart[four[k]] = found[k];
  }
  for (std::size_t k = 0; k < used; ++k) apart[four[k]] = distance(focus, rows[four[k]]);
  return apart;
}

std::vector<double> distances_of(const View& view, const Focus& focus,
                                 std::span<const NodeId> nodes) {
  std::vector<std::span<const float>> rows;
  rows.reserve(nodes.size());
  for (const NodeId n : nodes) rows.push_back(view.vectors.row(n));
  return distances(focus.vector, rows);
}

double least_between(const Focus& focus, NodeId n) {
  double least = -1;
  for (const NodeId done : focus.completed) {
    const double between = filed_between(focus, n, done);
    if (between >= 0 && (least < 0 || between < least)) least = between;
  }
  return least;
}

double overlap(std::span<const NodeId> a, std::span<const NodeId> b) {
  if (a.empty() || b.empty()) return 0;
  std::size_t shared = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    shared += a[i] == b[j];
    const bool first = a[i] <= b[j], second = b[j] <= a[i];
    i += first;
    j += second;
  }
  return static_cast<double>(shared) / static_cast<double>(a.size() + b.size() - shared);
}

int said_priority(const View& view, const Kinds& kinds, NodeId n) {
  const graph::Graph& g = view.graph;
  int said = g.nodes().priority[n];
  if (said != graph::kNoPriority || view.policy.labels.empty()) return said;
  for (const EdgeId e : g.out_edges(n)) {
    if (g.type(e) != kinds.labeled_as || !exists(view, g.target(e))) continue;
    const int of_label = view.policy.label_priority(g.id(g.target(e)));
    if (of_label >= 0 && (said < 0 || of_label < said)) said = of_label;
  }
  return said;
}

namespace {

// What waits for a task, directly or through others: each once, by the shortest way. A task that
// waits behind one that waits is due no later than that one has to begin.
void gather_waiting(const View& view, const Kinds& kinds, NodeId n, TimeMs now,
                    Readiness& readiness, Evidence& out) {
  const Policy& p = view.policy;
  if (p.unblocks_exponent == 0 && p.unblocks_urgency == 0) return;
  const graph::NodeColumns& nodes = view.graph.nodes();
  if (readiness.waiting_for(n).empty()) return;
  std::unordered_set<NodeId> met{n};
  std::map<NodeId, double> last{{n, 0}}, next;  // days that it takes from a node's end on, at least
  double counts = 1;
  for (int step = 1; step <= kWaitingFar && !last.empty(); ++step, counts *= p.unblocks_decay) {
    next.clear();
    for (const auto& [from, days] : last) {
      for (const NodeId m : readiness.waiting_for(from)) {
        if (met.contains(m)) continue;
        double& least = next[m];
        const double own = nodes.estimate[m] == kNever
                               ? kDaysOfTask
                               : static_cast<double>(nodes.estimate[m]) / kMsPerDay;
        least = std::max(least, days + own);
      }
    }
    for (const auto& [m, days] : next) {
      met.insert(m);
      Evidence waiting;
      waiting.now = now;
      waiting.priority = said_priority(view, kinds, m);
      if (nodes.due_at[m] != kNever)
        waiting.due_at = nodes.due_at[m] - static_cast<TimeMs>(days * kMsPerDay);
      const double urgent = counts * urgency(p, waiting);
      if (urgent > out.awaited_urgency ||
          (urgent == out.awaited_urgency && view.graph.id(m) < view.graph.id(out.awaited_by))) {
        out.awaited_urgency = urgent;
        out.awaited_by = m;
        out.awaited_priority = waiting.priority;
      }
    }
    out.waiting += counts * static_cast<double>(next.size());
    out.waiting_count += static_cast<std::uint32_t>(next.size());
    last.swap(next);
  }
}

}  // namespace

void gather_own(const View& view, const Kinds& kinds, NodeId n, TimeMs now, Readiness& readiness,
                std::vector<NodeId>& contexts, Evidence& out) {
  out = {};
  out.now = now;
  out.created_at = view.graph.nodes().created_at[n];
  out.last_activity = own_activity(view, kinds, n);
  out.priority = said_priority(view, kinds, n);
  out.due_at = view.graph.nodes().due_at[n];
  out.is_test = is_test(view, kinds, n) ? 1 : 0;
  const graph::NodeColumns& nodes = view.graph.nodes();
  if (out.is_test == 0 && nodes.tried_at[n] != kNever) {
    const OwnOutcomes own =
        faded(view.policy, {nodes.successes[n], nodes.failures[n], nodes.tried_at[n]}, now);
    out.own_successes = own.successes;
    out.own_failures = own.failures;
  }
  contexts.clear();
  if (!exists(view, n)) return;  // edges of a node that does not exist do not count
  gather_inbound(view, kinds, n, out);
  if (out.is_test != 0) {
    out.penalised = untried(view, kinds, n) ? view.policy.test_untried_failures : nodes.failures[n];
    return;  // what learns from tasks has nothing to do with it
  }
  if (view.policy.untried_failures > 0 && untried(view, kinds, n)) {
    out.penalised = view.policy.untried_failures;
  }
  reward::contexts(view, n, now, contexts);
  gather_waiting(view, kinds, n, now, readiness, out);
}

// --- what recent work was about ------------------------------------------------------------------

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
  const int kept = std::max(policy.frontier_tasks, policy.order_proximity_tasks);
  return std::max(static_cast<std::size_t>(kept), kOwnWork);
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

}  // namespace hebb::reward
