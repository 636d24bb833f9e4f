#include "reward/ranking.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <unordered_set>

namespace hebb::reward {

using graph::EdgeId;
using graph::kNever;
using graph::NodeId;
using graph::TypeId;

namespace {

// Flags of seen_. The last: Readiness::holds_parts(), where it has parts.
constexpr std::uint8_t kExisted = 1, kWasOpen = 2, kWasUnfinished = 4, kWasUnknown = 8,
                       kHadState = 16, kHeldParts = 32, kWasTest = 64, kWasEvidence = 128;

void sort_unique(std::vector<NodeId>& v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
}

std::uint8_t flags_of(const View& view, const KnownNames& kinds, NodeId n) {
  return static_cast<std::uint8_t>(
      (exists(view, n) ? kExisted : 0) | (is_open(view, kinds, n) ? kWasOpen : 0) |
      (is_unfinished(view, kinds, n) ? kWasUnfinished : 0) |
      (is_unknown(view, n) ? kWasUnknown : 0) | (is_test(view, kinds, n) ? kWasTest : 0) |
      (is_evidence(view, n) ? kWasEvidence : 0) |
      (view.graph.nodes().state[n] != 0 ? kHadState : 0));
}

std::uint8_t held_flag(const View& view, const KnownNames& kinds, Readiness& readiness, NodeId n) {
  for (const EdgeId e : view.graph.out_edges(n))
    if (view.graph.type(e) == kinds.parent_of) return readiness.holds_parts(n) ? kHeldParts : 0;
  return 0;
}

// The nodes and, over any PARENT_OF edges, their wholes (up) or their parts.
std::vector<NodeId> along_parts(const View& view, const KnownNames& kinds,
                                std::vector<NodeId> nodes, bool up) {
  std::unordered_set<NodeId> met(nodes.begin(), nodes.end());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const NodeId n = nodes[i];
    for (const EdgeId e : up ? view.graph.in_edges(n) : view.graph.out_edges(n)) {
      if (view.graph.type(e) != kinds.parent_of) continue;
      const NodeId next = up ? view.graph.source(e) : view.graph.target(e);
      if (met.insert(next).second) nodes.push_back(next);
    }
  }
  return nodes;
}

void append(std::vector<NodeId>& to, const std::vector<NodeId>& nodes) {
  to.insert(to.end(), nodes.begin(), nodes.end());
}

// Whether such an edge counts in the evidence of the context it leads to.
bool is_of_context(const View& view, const KnownNames& kinds, TypeId type) {
  return type == kinds.reward_positive || type == kinds.reward_negative || view.types[type].context;
}

}  // namespace

// The nodes that an update has to look at again.
struct Ranking::Work {
  std::vector<NodeId> nodes;      // that were noted
  std::vector<NodeId> tasks;      // whose own edges or neighbours changed
  std::vector<NodeId> relabeled;  // whose label came or went, so that they may be more urgent
  std::vector<NodeId> readiness_changed;  // of `nodes`: may free other tasks or hold them up
  std::vector<NodeId> contexts;           // whose evidence may have changed
  std::vector<std::uint8_t> learned;      // by slot: the evidence did change
  std::size_t learners = 0;               // edges into these: as many tasks at most, or so
  std::vector<NodeId> fresh;              // tasks whose row was made anew
  std::vector<NodeId> targets;            // scratch
  bool refiled = false;                   // places of nodes that were not noted differ
  bool relearned = false;                 // the rate of tasks without contexts differs
};

void Ranking::update(const View& view, Times times) {
  const auto is_same = [&] {
    return keeps(times.stamp) && key_[0].frontier == view.frontier && is_of(view.policy);
  };
  const bool later = is_same() && key_[0].now != times.now;
  if (later) note_woken(view, times.now);
  const bool same = is_same();  // with too many notes nothing is kept
  if (same && !later && !has_notes()) return;
  Work work;
  const KnownNames kinds(view.graph);
  Readiness readiness(view, times);
  const std::optional<Common> common_before = same ? std::optional(common(view)) : std::nullopt;
  const std::size_t bound = view.graph.node_bound();
  if (!same) start(view, times);
  key_[0].now = times.now;
  seen_.resize(bound, 0);
  row_of_.resize(bound, kNoIndex);
  days_.resize(bound, 0);
  slot_of_.resize(bound, kNoIndex);
  place_of_.resize(bound, kNoIndex);
  if (same) {
    if (later) add_changed_by_time(common_before->times.now, work);
    find_work(view, kinds, work);
    keep_completed(view, work.nodes);
    work.refiled = refile(view, work.nodes);
    for (const NodeId n : work.nodes) keep_duration(view, kinds, n);
  } else {
    for (NodeId n = 0; n < bound; ++n) {
      seen_[n] = static_cast<std::uint8_t>(flags_of(view, kinds, n) |
                                           held_flag(view, kinds, readiness, n));
      if ((seen_[n] & kWasOpen) != 0) work.tasks.push_back(n);
      keep_duration(view, kinds, n);
    }
  }
  learn_contexts(view, kinds, work);
  for (const NodeId n : work.tasks) update_row(view, kinds, n, readiness, work);
  if (context_pool_.size() > 2 * pool_live_ + 4096) compact_pool();
  noted_nodes_.clear();
  noted_edges_.clear();
  const Focus focus = focus_from(view, times.stamp, completed(), places());
  Moved moved = take_focus(focus);
  moved.order = moved.order || work.refiled;
  const Common common_now = common(view);
  moved.common = later || (same && common_now.usual_days != common_before->usual_days);
  work.relearned = learn_general(view, common_now);
  rescore(view, focus, common_now, common_before ? *common_before : common_now, moved, work);
}

// Notes the nodes whose snooze begins or ends between the two times.
void Ranking::note_woken(const View& view, TimeMs now) {
  const TimeMs before = key_[0].now;
  for (NodeId n = 0; n < view.graph.node_bound() && keeps(); ++n) {
    const TimeMs until = view.graph.nodes().snoozed_until[n];
    if ((until > before) != (until > now)) note_node(n);
  }
}

// Adds the tasks whose waiting tasks may press differently by now, or of which another may be the
// most urgent.
void Ranking::add_changed_by_time(TimeMs before, Work& work) const {
  const TimeMs now = key_[0].now;
  for (const Candidate& row : rows_) {
    const Evidence& e = row.evidence;
    if (row.is_blocked != 0 || e.waiting_count == 0) continue;
    if (e.others_awaited != 0 || now < before || now >= e.awaited_presses_until)
      work.tasks.push_back(row.node);
  }
}

void Ranking::start(const View& view, Times times) {
  clear();
  policy_known_ = view.policy;
  key_.push_back({times.stamp, times.now, kNever, kNever, view.frontier, 1, {}});
  for (const NodeId n : completed_last(view, completed_for_focus(view.policy)))
    completed_.push_back({view.graph.nodes().completed_at[n], n});
  if (view.policy.order_proximity_exponent <= 0) return;
  const KnownNames kinds(view.graph);
  std::vector<NodeId> filed;
  for (NodeId n = 0; n < view.graph.node_bound(); ++n) {
    if (is_filed(view, kinds, n)) filed.push_back(n);
  }
  place_of_.resize(view.graph.node_bound(), kNoIndex);
  remerge(view, filed);
}

// From the noted nodes to all that they affect.
void Ranking::find_work(const View& view, const KnownNames& kinds, Work& work) {
  const graph::Graph& g = view.graph;
  const auto add_target = [&](EdgeId e) {
    work.tasks.push_back(g.target(e));
    if (is_of_context(view, kinds, g.type(e))) work.contexts.push_back(g.target(e));
  };
  work.nodes = std::move(noted_nodes_);
  sort_unique(work.nodes);
  for (const NodeId n : work.nodes) {
    work.tasks.push_back(n);
    for (const EdgeId e : g.out_edges(n)) {
      if (view.types[g.type(e)].context) work.contexts.push_back(g.target(e));  // an estimate
      if (is_gate(kinds, g.type(e))) work.tasks.push_back(g.target(e));         // a completion
    }
    const auto held = static_cast<std::uint8_t>(seen_[n] & kHeldParts);
    const auto before = static_cast<std::uint8_t>(seen_[n] ^ held);
    const std::uint8_t after = flags_of(view, kinds, n);
    seen_[n] = static_cast<std::uint8_t>(after | held);
    if (before != after) work.readiness_changed.push_back(n);
    if (((before ^ after) & (kExisted | kWasTest | kWasEvidence)) == 0) continue;
    work.contexts.push_back(n);
    for (const EdgeId e : g.out_edges(n)) add_target(e);
    for (const EdgeId e : g.in_edges(n)) {
      work.tasks.push_back(g.source(e));
      if (g.type(e) == kinds.labeled_as) work.relabeled.push_back(g.source(e));
    }
  }
  for (const NotedEdge& e : noted_edges_) {
    work.tasks.push_back(e.source);
    work.tasks.push_back(e.target);
    if (is_of_context(view, kinds, e.type)) work.contexts.push_back(e.target);
  }
  find_waiting(view, kinds, work);
  sort_unique(work.tasks);
  sort_unique(work.contexts);
}

// Finds the tasks that others hold up, or no longer do: see readiness.cc.
void Ranking::find_waiting(const View& view, const KnownNames& kinds, Work& work) {
  const graph::Graph& g = view.graph;
  std::vector<NodeId> waiting, wholes, parts;  // whose waiting, parts and wholes may differ
  const auto waits_for = [&](TypeId t) { return t == kinds.waits_for || t == kinds.waits_for_any; };
  const auto add_waiting = [&](NodeId n, bool blocked_too) {
    for (const EdgeId e : g.out_edges(n)) {
      if (waits_for(g.type(e)) || (blocked_too && is_gate(kinds, g.type(e))))
        waiting.push_back(g.target(e));
    }
  };
  for (const NodeId n : work.readiness_changed) {
    add_waiting(n, true);
    wholes.push_back(n);
    parts.push_back(n);
  }
  for (const NotedEdge& e : noted_edges_) {
    if (is_gate(kinds, e.type)) waiting.push_back(e.target);
    if (e.type != kinds.parent_of) continue;
    wholes.push_back(e.source);
    parts.push_back(e.target);
  }
  append(work.tasks, along_parts(view, kinds, std::move(parts), false));
  for (const NodeId n : along_parts(view, kinds, std::move(wholes), true)) {
    waiting.push_back(n);
    add_waiting(n, false);
  }
  append(work.tasks, waiting);
  append(waiting, work.nodes);
  sort_unique(waiting);
  Readiness readiness(view, times());
  std::vector<NodeId> readiness_changed;
  for (const NodeId n : waiting) {
    const std::uint8_t held = held_flag(view, kinds, readiness, n);
    if ((seen_[n] & kHeldParts) == held) continue;
    seen_[n] = static_cast<std::uint8_t>(seen_[n] ^ kHeldParts);
    readiness_changed.push_back(n);
  }
  append(work.tasks, along_parts(view, kinds, std::move(readiness_changed), false));
  std::vector<NodeId> ends = work.nodes;
  append(ends, work.relabeled);
  for (const NotedEdge& e : noted_edges_) {
    if (e.type == kinds.labeled_as) ends.push_back(e.source);
    if (!is_gate(kinds, e.type) && e.type != kinds.parent_of) continue;
    ends.push_back(e.source);
    ends.push_back(e.target);
    if (waits_for(e.type) || readiness.is_awaited(e.source)) {
      for (const EdgeId part : g.out_edges(e.source))
        if (g.type(part) == kinds.parent_of) ends.push_back(g.target(part));
    }
  }
  append(work.tasks, readiness.upstream(std::move(ends), kWaitingFar + 1));
}

void Ranking::learn_contexts(const View& view, const KnownNames& kinds, Work& work) {
  work.learned.assign(contexts_.size(), 0);
  for (const NodeId c : work.contexts) {
    if (slot_of_[c] == kNoIndex) continue;
    Context& kept = contexts_[slot_of_[c]];
    const ContextEvidence seen = context_evidence(view, kinds, c, key_[0].stamp);
    if (seen == kept.seen) continue;
    kept.seen = seen;
    work.learned[slot_of_[c]] = 1;
    work.learners += view.graph.in_edges(c).size();
  }
}

std::uint32_t Ranking::slot_of(const View& view, const KnownNames& kinds, NodeId context) {
  if (slot_of_[context] == kNoIndex) {
    slot_of_[context] = static_cast<std::uint32_t>(contexts_.size());
    contexts_.push_back({context_evidence(view, kinds, context, key_[0].stamp), context, 0});
  }
  return slot_of_[context];
}

// The row of a node as it is now: made, made anew, or removed.
void Ranking::update_row(const View& view, const KnownNames& kinds, NodeId n, Readiness& readiness,
                         Work& work) {
  if (n == view.frontier) return;
  if ((seen_[n] & kWasOpen) == 0) return remove(n);
  if (row_of_[n] == kNoIndex) {
    row_of_[n] = static_cast<std::uint32_t>(rows_.size());
    rows_.push_back({});
    factors_.push_back({});
    rows_.back().node = n;
  }
  Candidate& row = rows_[row_of_[n]];
  blocked_ -= row.is_blocked;
  row.is_blocked = !readiness.is_candidate(n);
  blocked_ += row.is_blocked;
  work.targets.clear();
  if (row.is_blocked == 0)
    gather_own(view, kinds, n, times(), readiness, work.targets, row.evidence);
  for (const NodeId c : work.targets) slot_of(view, kinds, c);
  const std::span<const NodeId> targets(work.targets);
  const auto old = contexts_of(row);
  if (!std::equal(old.begin(), old.end(), targets.begin(), targets.end())) {
    count_contexts(row, -1);
    pool_live_ += targets.size();
    pool_live_ -= row.context_count;
    row.first_context = static_cast<std::uint32_t>(context_pool_.size());
    row.context_count = static_cast<std::uint32_t>(targets.size());
    context_pool_.append(targets);
    count_contexts(row, 1);
  }
  if (row.is_blocked == 0) work.fresh.push_back(n);
}

void Ranking::keep_duration(const View& view, const KnownNames& kinds, NodeId n) {
  const double days = is_filed(view, kinds, n) ? known_days(view, n) : 0;
  if (days == days_[n]) return;
  if (days_[n] > 0) key_[0].durations.take_away(days_[n]);
  if (days > 0) key_[0].durations.add(days);
  days_[n] = days;
}

void Ranking::compact_pool() {
  graph::Column<NodeId> next;
  next.reserve(pool_live_);
  for (Candidate& row : rows_) {
    const auto contexts = contexts_of(row);
    row.first_context = static_cast<std::uint32_t>(next.size());
    next.append(contexts);
  }
  context_pool_ = std::move(next);
}

void Ranking::remove(NodeId n) {
  const std::uint32_t at = row_of_[n];
  if (at == kNoIndex) return;
  blocked_ -= rows_[at].is_blocked;
  count_contexts(rows_[at], -1);
  pool_live_ -= rows_[at].context_count;
  rows_[at] = rows_.back();
  factors_[at] = factors_.back();
  row_of_[rows_[at].node] = at;
  row_of_[n] = kNoIndex;
  rows_.pop_back();
  factors_.pop_back();
}

std::span<const NodeId> Ranking::contexts_of(const Candidate& row) const {
  return context_pool_.range(row.first_context, row.context_count);
}

// --- the tasks -----------------------------------------------------------------------------------

void Ranking::sum_contexts(const View& view, std::span<const NodeId> contexts,
                           Evidence& evidence) const {
  ContextEvidence sums;
  for (const NodeId c : contexts) sums += context(view, c);
  evidence.stamped.successes = sums.successes.value();
  evidence.stamped.failures = sums.failures.value();
  evidence.label_days = sums.durations.days();
}

void Ranking::count_contexts(const Candidate& row, int change) {
  for (const NodeId c : contexts_of(row))
    contexts_[slot_of_[c]].tasks += static_cast<std::uint64_t>(change);
}

bool Ranking::learn_general(const View& view, const Common& common) {
  ContextEvidence sums;
  for (const Context& c : contexts_) {
    if (c.tasks > 0) sums += c.seen;
  }
  const double general = general_rate(view.policy, sums.successes.value() * common.outcomes,
                                      sums.failures.value() * common.outcomes);
  if (general == key_[0].general) return false;
  key_[0].general = general;
  return true;
}

void Ranking::rescore(const View& view, const Focus& focus, const Common& common,
                      const Common& common_before, Moved moved, const Work& work) {
  const std::vector<double> near = distances_of(view, focus, work.fresh);
  for (std::size_t i = 0; i < near.size(); ++i) {
    Candidate& row = rows_[row_of_[work.fresh[i]]];
    row.evidence.distance = near[i];
    compare_to_focus(focus, {true, true, true, true}, row.node, contexts_of(row), row.evidence);
    sum_contexts(view, contexts_of(row), row.evidence);
    Evidence seen = row.evidence;
    common.apply(seen);
    multiply(view.policy, seen, nullptr, factors_[row_of_[row.node]]);
  }
  if (work.fresh.size() == rows_.size() - blocked_) return;
  if (!moved.any() && !work.relearned && work.learners == 0) return;
  constexpr std::size_t kRowsInPage = 4096 / sizeof(Candidate);
  if (moved.of_rows() || work.learners > rows_.size() / kRowsInPage) rows_.prepare_to_write();
  if (moved.any()) factors_.prepare_to_write();
  const std::vector<double> apart =
      moved.vector ? distances_of(view, focus, open_nodes()) : std::vector<double>();
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    Candidate& row = rows_[i];
    if (row.is_blocked != 0) continue;
    Evidence next = row.evidence, before = next;
    if (moved.vector) next.distance = apart[i];
    compare_to_focus(focus, moved, row.node, contexts_of(row), next);
    if (work.learners != 0) {
      const auto contexts = contexts_of(row);
      const bool learned = std::any_of(contexts.begin(), contexts.end(), [&](NodeId c) {
        return slot_of_[c] < work.learned.size() && work.learned[slot_of_[c]] != 0;
      });
      if (learned) sum_contexts(view, contexts, next);
    }
    const bool same = std::memcmp(&next, &before, sizeof next) == 0;
    if (same && !moved.common) continue;  // a page stays as it is
    if (!same) row.evidence = next;
    common_before.apply(before);
    common.apply(next);
    multiply(view.policy, next, &before, factors_[i]);
  }
}

}  // namespace hebb::reward
