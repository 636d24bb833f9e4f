#include "reward/evidence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_set>

#include "reward/outcome.h"
#include "reward/readiness.h"

namespace hebb::reward {
namespace {

using graph::EdgeId;
using graph::kNever;
using graph::NodeId;
using graph::TypeId;

constexpr std::uint32_t kNoName = 0x10000;
static_assert(kNoName > std::numeric_limits<TypeId>::max(), "equals no name's id");

std::uint32_t find(const graph::Names& names, std::string_view name) {
  const auto id = names.find(name);
  return id ? *id : kNoName;
}

bool is_inbound_activity(const KnownNames& kinds, TypeId type) {
  return type == kinds.cross_references || type == kinds.resolves || type == kinds.parent_of;
}

// 2^(-elapsed / half-life): how outcomes fade as evidence.
double kept(const View& view, EdgeId e, TimeMs now, double half_life_ms) {
  return std::exp2(-ms_between(view.graph.edges().touched_at[e], now) / half_life_ms);
}

// A weight after its decay, without a floor and without an end.
double decayed(const View& view, EdgeId e, TimeMs now) {
  const graph::EdgeColumns& edges = view.graph.edges();
  const TypePolicy& p = view.types[view.graph.type(e)];
  if (p.is_protected) return edges.weight[e];
  return edges.weight[e] * std::pow(p.decay_per_day, days_between(edges.touched_at[e], now));
}

// A change of direction and a success also set the weight of failures, so the time of that weight
// counts alone only where no outcome but a link says that the task failed.
TimeMs last_failure(const View& view, NodeId n, TimeMs weighed_at) {
  const graph::NodeColumns& nodes = view.graph.nodes();
  if (nodes.tried_at[n] == kNever) return weighed_at;
  return nodes.completed_at[n] >= nodes.tried_at[n] ? kNever
                                                    : std::min(nodes.tried_at[n], weighed_at);
}

// Reads the inbound edges in one pass.
void gather_inbound(const View& view, const KnownNames& kinds, NodeId n, TimeMs stamp,
                    Evidence& out) {
  const graph::Graph& g = view.graph;
  ExactSum structural, rewards;
  double heaviest = 0;
  for (const EdgeId e : g.in_edges(n)) {
    const TypeId type = g.type(e);
    const NodeId source = g.source(e);
    if (!exists(view, source)) continue;
    if (is_inbound_activity(kinds, type)) {
      out.last_activity = std::max(out.last_activity, g.edges().touched_at[e]);
    }
    if (is_gate(kinds, type) && !is_unfinished(view, kinds, source))
      out.freed_at = std::max(out.freed_at, g.nodes().completed_at[source]);
    const bool is_structural = view.types[type].structural;
    const bool is_reward = type == kinds.reward_positive;
    const bool is_failure = type == kinds.reward_negative && source == view.frontier;
    if (is_failure) {
      out.stamped.penalised = decayed(view, e, stamp);
      out.penalised_at = g.edges().touched_at[e];
      out.failed_at = last_failure(view, n, out.penalised_at);
    }
    if (!is_structural && !is_reward) continue;
    const double w = counting_weight(view, e, stamp);
    if (w == 0) continue;
    if (is_structural) structural.add(w);
    if (is_structural && w >= heaviest && w > 0) {
      if (w > heaviest || g.id(source) < g.id(out.linked_from)) out.linked_from = source;
      heaviest = w;
    }
    if (is_reward) rewards.add(faded_reward(view, e, stamp));
  }
  out.structural = structural.value();
  out.stamped.rewards = rewards.value();
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
// is progress, or the end of a snooze: to edit a field is none.
TimeMs own_activity(const View& view, const KnownNames& kinds, NodeId n, TimeMs now) {
  const graph::Graph& g = view.graph;
  const graph::NodeColumns& nodes = g.nodes();
  TimeMs last = std::max({nodes.created_at[n], nodes.reopened_at[n], nodes.outcome_at[n]});
  if (nodes.snoozed_until[n] <= now) last = std::max(last, nodes.snoozed_until[n]);
  if (!exists(view, n)) return last;
  for (const EdgeId e : g.out_edges(n)) {
    if (g.type(e) == kinds.labeled_as && exists(view, g.target(e)))
      last = std::max(last, g.edges().touched_at[e]);
  }
  return last;
}

// States of work that is done, or that nobody will do.
constexpr std::array<std::string_view, 28> kOver{
    "CLOSED",   "DONE",      "COMPLETE", "COMPLETED", "FINISHED",  "RESOLVED",    "FIXED",
    "MERGED",   "RELEASED",  "SHIPPED",  "CANCELLED", "CANCELED",  "ABANDONED",   "REJECTED",
    "DECLINED", "WONTFIX",   "WONT_FIX", "WON'T_FIX", "WONTDO",    "WONT_DO",     "WON'T_DO",
    "INVALID",  "DUPLICATE", "OBSOLETE", "DELETED",   "TOMBSTONE", "NOT_PLANNED", "SUPERSEDED"};

char plain(char c) {
  if (c >= 'a' && c <= 'z') return static_cast<char>(c - 'a' + 'A');
  return c == '-' || c == ' ' ? '_' : c;
}

}  // namespace

KnownNames::KnownNames(const graph::Graph& g)
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

bool is_gate(const KnownNames& kinds, TypeId type) {
  return type == kinds.blocks || type == kinds.waits_for || type == kinds.waits_for_any;
}

bool is_over(std::string_view state) {
  return std::any_of(kOver.begin(), kOver.end(), [&](std::string_view over) {
    return std::equal(state.begin(), state.end(), over.begin(), over.end(),
                      [](char a, char b) { return plain(a) == b; });
  });
}

bool exists(const View& view, NodeId n) {
  const graph::NodeColumns& nodes = view.graph.nodes();
  return n == view.frontier || (nodes.created_at[n] != kNever && nodes.deleted_at[n] == kNever);
}

bool is_test(const View& view, const KnownNames& kinds, NodeId n) {
  return view.policy.test_by_failures && view.graph.nodes().type[n] == kinds.test;
}

bool is_open(const View& view, const KnownNames& kinds, NodeId n) {
  return view.graph.nodes().state[n] == kinds.open && exists(view, n);
}

bool is_unfinished(const View& view, const KnownNames& kinds, NodeId n) {
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

bool is_evidence(const View& view, NodeId context) {
  const graph::Graph& g = view.graph;
  return view.policy.is_evidence(g.node_types().name(g.nodes().type[context]), g.id(context));
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

void evidence_contexts(const View& view, NodeId task, TimeMs now, std::vector<NodeId>& targets) {
  contexts(view, task, now, targets);
  std::erase_if(targets, [&](NodeId context) { return !is_evidence(view, context); });
}

double faded_reward(const View& view, EdgeId e, TimeMs now) {
  const double half_life = view.policy.reward_half_life_hours * static_cast<double>(kMsPerHour);
  return view.graph.edges().weight[e] * kept(view, e, now, half_life);
}

ContextEvidence context_evidence(const View& view, const KnownNames& kinds, NodeId context,
                                 TimeMs now) {
  const double half_life_ms = view.policy.evidence_half_life_days * static_cast<double>(kMsPerDay);
  ContextEvidence sums;
  if (!exists(view, context)) return sums;
  for (const EdgeId e : view.graph.in_edges(context)) {
    const TypeId type = view.graph.type(e);
    const NodeId source = view.graph.source(e);
    if (!exists(view, source) || is_test(view, kinds, source)) continue;
    if (view.types[type].context && source != context && is_filed(view, kinds, source)) {
      if (const double days = known_days(view, source); days > 0) sums.durations.add(days);
    }
    if (type != kinds.reward_positive && type != kinds.reward_negative) continue;
    if (!was_given_context(view, source, context)) continue;
    const double w = view.graph.edges().weight[e];
    const double left = kept(view, e, now, half_life_ms);
    // A task that fails three times says less of its contexts than three tasks.
    if (type == kinds.reward_positive) sums.successes.add(w * left);
    if (type == kinds.reward_negative) sums.failures.add(std::sqrt(w) * left);
  }
  return sums;
}

Common::Common(const View& view, const KnownNames& kinds, Times at, double usual)
    : times(at), usual_days(usual) {
  const Policy& p = view.policy;
  const double ms = ms_between(at.stamp, at.now);
  rewards = std::exp2(-ms / (p.reward_half_life_hours * static_cast<double>(kMsPerHour)));
  outcomes = std::exp2(-ms / (p.evidence_half_life_days * static_cast<double>(kMsPerDay)));
  if (kinds.reward_negative >= view.types.size()) return;
  const TypePolicy& failures = view.types[static_cast<TypeId>(kinds.reward_negative)];
  if (!failures.is_protected) penalty_per_day = failures.decay_per_day;
}

void Common::apply(Evidence& e) const {
  e.now = times.now;
  if (e.is_test == 0) e.usual_days = usual_days;
  e.rewards = e.stamped.rewards * rewards;
  e.successes = e.stamped.successes * outcomes;
  e.failures = e.stamped.failures * outcomes;
  e.own_successes = e.stamped.own_successes * outcomes;
  e.own_failures = e.stamped.own_failures * outcomes;
  e.penalised = e.stamped.penalised;
  if (e.is_test != 0 || e.penalised_at == kNever || e.penalised == 0) return;
  const double days = days_between(std::max(times.stamp, e.penalised_at), times.now);
  e.penalised *= std::pow(penalty_per_day, days);
}

bool untried(const View& view, const KnownNames& kinds, NodeId n) {
  const graph::NodeColumns& nodes = view.graph.nodes();
  if (nodes.outcome_at[n] != kNever || nodes.completed_at[n] != kNever) return false;
  const auto& in = view.graph.in_edges(n);
  return std::none_of(in.begin(), in.end(), [&](EdgeId e) {
    return view.graph.type(e) == kinds.reward_negative && view.graph.source(e) == view.frontier;
  });
}

int given_priority(const View& view, const KnownNames& kinds, NodeId n) {
  const graph::Graph& g = view.graph;
  int priority = g.nodes().priority[n];
  if (priority != graph::kNoPriority || view.policy.labels.empty()) return priority;
  for (const EdgeId e : g.out_edges(n)) {
    if (g.type(e) != kinds.labeled_as || !exists(view, g.target(e))) continue;
    const int of_label = view.policy.label_priority(g.id(g.target(e)));
    if (of_label >= 0 && (priority < 0 || of_label < priority)) priority = of_label;
  }
  return priority;
}

namespace {

// The tasks that wait for a task, directly or through others: each once, by the shortest way.
void gather_waiting(const View& view, const KnownNames& kinds, NodeId n, TimeMs now,
                    Readiness& readiness, Evidence& out) {
  const Policy& p = view.policy;
  if (p.unblocks_exponent == 0 && p.unblocks_urgency == 0 && p.pressing_days == 0 && !p.strict)
    return;
  const graph::NodeColumns& nodes = view.graph.nodes();
  if (readiness.waiting_for(n).empty()) return;
  std::unordered_set<NodeId> met{n};
  const auto takes = [&](NodeId m) {
    Evidence evidence;
    evidence.own_days = known_days(view, m);
    return days_it_takes(evidence);
  };
  std::map<NodeId, double> last{{n, takes(n)}}, next;  // days from its beginning on, at least
  double counts = 1, most = 0, most_shown = 0;
  bool are_due = false;
  // Whether one is more urgent; among equals the smallest id is.
  const auto is_before = [&](double urgent, NodeId m, double than, NodeId other) {
    if (other == graph::kNoNode) return true;
    return urgent != than ? urgent > than : view.graph.id(m) < view.graph.id(other);
  };
  NodeId most_urgent = graph::kNoNode;
  for (int step = 1; step <= kWaitingFar && !last.empty(); ++step, counts *= p.unblocks_decay) {
    next.clear();
    for (const auto& [from, days] : last) {
      for (const NodeId m : readiness.waiting_for(from)) {
        if (met.contains(m)) continue;
        double& least = next[m];
        least = std::max(least, days + takes(m));
      }
    }
    for (const auto& [m, days] : next) {
      met.insert(m);
      Evidence other;
      other.now = now;
      other.waiting_count = 1;
      other.awaited_weight = counts;
      other.awaited_priority = given_priority(view, kinds, m);
      are_due = are_due || nodes.due_at[m] != kNever;
      if (nodes.due_at[m] != kNever)
        other.awaited_due = nodes.due_at[m] - static_cast<TimeMs>(days * kMsPerDay);
      const double urgent = awaited_urgency(p, other);
      const Pressing presses = pressing(p, other.awaited_priority, ms_left(now, other.awaited_due),
                                        own_activity(view, kinds, m, now), now);
      out.awaited_presses_until = std::min(out.awaited_presses_until, presses.until);
      out.awaited_most_urgent =
          std::min(out.awaited_most_urgent, given_or_ordinary(other.awaited_priority));
      if (presses.much > out.awaited_presses ||
          (presses.much == out.awaited_presses &&
           is_before(urgent, m, most_shown, out.awaited_by))) {
        out.awaited_presses = presses.much;
        out.awaited_by = m;
        out.awaited_by_priority = other.awaited_priority;
        most_shown = urgent;
      }
      if (!is_before(urgent, m, most, most_urgent)) continue;
      most = urgent;
      most_urgent = m;
      out.awaited_weight = counts;
      out.awaited_priority = other.awaited_priority;
      out.awaited_due = other.awaited_due;
    }
    out.waiting += counts * static_cast<double>(next.size());
    out.waiting_count += static_cast<std::uint32_t>(next.size());
    last.swap(next);
  }
  out.others_awaited = are_due && out.waiting_count > 1 ? 1 : 0;
}

}  // namespace

void gather_own(const View& view, const KnownNames& kinds, NodeId n, Times times,
                Readiness& readiness, std::vector<NodeId>& contexts, Evidence& out) {
  out = {};
  out.created_at = view.graph.nodes().created_at[n];
  out.last_activity = own_activity(view, kinds, n, times.now);
  out.priority = given_priority(view, kinds, n);
  out.due_at = view.graph.nodes().due_at[n];
  out.own_days = known_days(view, n);
  out.pinned = view.graph.nodes().pinned[n];
  out.is_test = is_test(view, kinds, n) ? 1 : 0;
  const graph::NodeColumns& nodes = view.graph.nodes();
  if (out.is_test == 0 && nodes.tried_at[n] != kNever) {
    const OwnOutcomes own =
        faded(view.policy, {nodes.successes[n], nodes.failures[n], nodes.tried_at[n]}, times.stamp);
    out.stamped.own_successes = own.successes;
    out.stamped.own_failures = own.failures;
  }
  contexts.clear();
  if (!exists(view, n)) return;  // edges of a node that does not exist do not count
  gather_inbound(view, kinds, n, times.stamp, out);
  if (out.is_test != 0) {
    out.stamped.penalised =
        untried(view, kinds, n) ? view.policy.test_untried_failures : nodes.failures[n];
    return;  // evidence of other tasks does not apply to tests
  }
  if (view.policy.untried_failures > 0 && untried(view, kinds, n)) {
    out.stamped.penalised = view.policy.untried_failures;
  }
  evidence_contexts(view, n, times.stamp, contexts);
  gather_waiting(view, kinds, n, times.now, readiness, out);
}

}  // namespace hebb::reward
