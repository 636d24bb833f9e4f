// Upkeep: undo, gc, stats.
#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/batch.h"
#include "engine/current/events.h"
#include "engine/fold/edge_rules.h"
#include "engine/rank/node_filter.h"
#include "engine/values/refusals.h"
#include "reward/evidence.h"
#include "reward/readiness.h"
#include "text/ascii.h"

namespace hebb {

using graph::EdgeId;
using graph::kNever;
using graph::NodeId;

namespace {

bool names(const Event& e, std::string_view id) {
  if (e.subject == id) return true;
  std::vector<EdgeRule> rules;
  edge_rules(e, reward::Policy{}, rules);
  return std::any_of(rules.begin(), rules.end(),
                     [&](const EdgeRule& r) { return r.source == id || r.target == id; });
}

std::optional<Refusal> cannot_undo(std::string why) {
  return Refusal{std::string(refusal::kCannotUndo), std::move(why)};
}

// An event that made a node cannot be undone while other events name the node.
std::optional<Refusal> refuse_node_undo(EngineImpl& impl, const Event& target) {
  const auto n = impl.folded.loaded()->find(target.subject);
  if (!n) return std::nullopt;
  const auto events = events_about(impl.folded, {target.subject}, false, kEndOfTime);
  const auto makes_it_too = [&](const Event& e) {
    const auto* upsert = std::get_if<NodeUpsert>(&e.payload);  // without a type it changes a node
    return e.position != target.position && e.subject == target.subject && makes_node(e.payload) &&
           (!upsert || upsert->type);
  };
  if (std::ranges::any_of(events, makes_it_too)) return std::nullopt;
  const auto& g = impl.folded.loaded()->graph();
  const bool linked = std::holds_alternative<NodeUpsert>(target.payload)
                          ? !g.out_edges(*n).empty() || !g.in_edges(*n).empty()
                          : g.in_edges(*n).size() + g.out_edges(*n).size() > 1;
  const bool other = std::any_of(events.begin(), events.end(), [&](const Event& e) {
    return e.position != target.position && names(e, target.subject);
  });
  if (!linked && !other) return std::nullopt;
  return cannot_undo(fmt::format(
      "event {} created the node \"{}\", and later events speak of it; undo those first, "
      "or `hebb node delete {}`",
      target.position, target.subject, target.subject));
}

// An error text if something is left of the node, although no event makes it.
std::optional<std::string> dangling_of(const State& s, NodeId n) {
  const auto& g = s.graph();
  const auto& c = g.nodes();
  if (c.created_at[n] != kNever) return std::nullopt;
  const auto complain = [&](std::string_view what) {
    return fmt::format("this would leave {} without the node \"{}\"; undo that first", what,
                       g.id(n));
  };
  for (const auto edges : {g.out_edges(n), g.in_edges(n)}) {
    if (edges.empty()) continue;
    const EdgeName edge = edge_name(g, edges.front());
    return complain(fmt::format("the edge {} -{}-> {}", edge.source, edge.type, edge.target));
  }
  if (c.updated_at[n] != kNever || c.outcome_at[n] != kNever || c.tried_at[n] != kNever ||
      c.deleted_at[n] != kNever)
    return complain("a state or an outcome");
  return std::nullopt;
}

// dangling_of() for all nodes that the removal may leave without an event that makes them.
std::optional<std::string> find_dangling(const State& s, const Payload& removal) {
  if (const auto* forget = std::get_if<Forget>(&removal)) {
    for (const std::string& id : forget->nodes) {
      const auto n = s.graph().find_node(id);
      auto dangling = n ? dangling_of(s, *n) : std::nullopt;
      if (dangling) return dangling;
    }
    return std::nullopt;
  }
  for (NodeId n = 0; n < s.graph().node_bound(); ++n) {
    if (auto dangling = dangling_of(s, n)) return dangling;
  }
  return std::nullopt;
}

// The events from one to another can be undone in one go only if one gc wrote them all.
std::optional<Refusal> refuse_range(EngineImpl& impl, const Undo& undo) {
  const Undone& undone = impl.folded.undone();
  const auto first = impl.ledger.event(undo.event);
  bool counts = false;  // at least one of them does
  for (auto position = undo.event; position <= undo.last; ++position) {
    const auto e = impl.ledger.event(position);
    if (!first || !e || !std::holds_alternative<Forget>(e->payload) || e->at != first->at) {
      return cannot_undo(fmt::format(
          "event {} is not of one gc with event {}; only what one gc removed can be undone in one "
          "go, and `hebb gc` prints its first and its last event",
          position, undo.event));
    }
    counts = counts || !undone.contains(position);
  }
  if (counts) return std::nullopt;
  return cannot_undo(
      undo.last < undo.event
          ? fmt::format("event {} is before event {}; name the first event of a gc "
                        "first, and then its last",
                        undo.last, undo.event)
          : fmt::format("the events {} to {} are undone already", undo.event, undo.last));
}

// Why an event cannot be undone, as far as that is known before the undo is folded.
std::optional<Refusal> refuse_undo(EngineImpl& impl, const Undo& undo) {
  const Ledger& ledger = impl.ledger;
  const std::int64_t position = std::max(undo.event, undo.last);
  const Undone& undone = impl.folded.undone();
  if (position > ledger.last_position()) {
    return cannot_undo(fmt::format("there is no event {}; the ledger has 1 to {}", position,
                                   ledger.last_position()));
  }
  if (undo.last != 0) return refuse_range(impl, undo);
  if (undone.contains(position)) {
    return cannot_undo(fmt::format("event {} is undone already", position));
  }
  const auto target = ledger.event(position);
  if (!target) {
    return cannot_undo(fmt::format("event {} is missing; `hebb verify` says what to do", position));
  }
  if (is_claim(target->payload)) {
    return cannot_undo(
        fmt::format("event {} is about a claim; `hebb claim release` ends a claim", position));
  }
  return makes_node(target->payload) ? refuse_node_undo(impl, *target) : std::nullopt;
}

}  // namespace

std::variant<Applied, Refusal> Batch::add_removal(Event& e) {
  if (!e.key.empty() && impl_.ledger.position_of(e.key)) return Applied::duplicate;
  const auto* undo = std::get_if<Undo>(&e.payload);
  if (undo) {
    if (!undo->damage.empty()) {
      return Refusal{std::string(refusal::kReserved), "only hebb before 0.4 set events aside"};
    }
    if (auto refusal = refuse_undo(impl_, *undo)) return *refusal;
  }
  // Only the fold shows the state without it; if that is not allowed, the savepoint takes it back.
  sql::Savepoint before(impl_.storage.database());
  // A policy that an older hebb took and that breaks today's bounds is no reason to refuse this.
  const bool checks = undo && impl_.folded.loaded()->policies().hold();
  append_and_fold(e);
  if (undo || !std::get<Forget>(e.payload).nodes.empty()) impl_.folded.settle();
  if (auto dangling = find_dangling(*impl_.folded.loaded(), e.payload)) {
    before.roll_back();
    impl_.folded.drop();
    impl_.folded.state();
    const auto reason = undo ? refusal::kCannotUndo : refusal::kUnknownNode;
    return Refusal{std::string(reason), std::move(*dangling)};
  }
  if (checks) impl_.folded.loaded()->policies().check();
  return Applied::applied;
}

UndoneEvent Engine::undo(std::int64_t position, TimeMs now, std::int64_t last) {
  Batch batch(*impl_);
  const auto target = impl_->ledger.event(position);
  Event e;
  e.at = now;
  e.subject = "ledger";
  e.payload = Undo{.event = position, .last = last};
  auto result = batch.add(std::move(e));
  if (auto* refusal = std::get_if<Refusal>(&result)) {
    if (refusal->reason == refusal::kCannotUndo) throw std::invalid_argument(refusal->detail);
    throw Refused(std::move(*refusal));
  }
  const UndoneEvent undone{*target, impl_->folded.position()};
  batch.commit();
  return undone;
}

// --- gc ------------------------------------------------------------------------------------------

namespace {

// The nodes and edges that gc() removes.
GcReport removable(EngineImpl& impl, const State& s, TimeMs now, TimeMs before) {
  const auto& g = s.graph();
  const auto view = s.view();
  const reward::KnownNames kinds(g);
  const auto is_unfinished = [&](NodeId n) { return reward::is_unfinished(view, kinds, n); };
  const auto goes = [&](EdgeId e) {
    const auto& c = g.edges();
    // An unfinished part of an unfinished whole stays its part.
    if (g.type(e) == kinds.parent_of && is_unfinished(g.source(e)) && is_unfinished(g.target(e)))
      return false;
    return c.touched_at[e] <= before &&
           reward::dormant(type_policy(s, g.type(e)), c.weight[e], c.touched_at[e], now);
  };
  const auto is_orphan = [&](NodeId n) {
    if (n == kFrontierNode || g.nodes().created_at[n] == kNever) return false;
    const bool is_work = reward::is_open(view, kinds, n) || is_unfinished(n);
    return !is_work && last_touch(g, n) <= before;
  };
  // Once the node is gone, a later outcome that did not count would.
  const auto is_named_later = [&](std::string_view id) {
    bool later = false;
    impl.ledger.events_of_subject(std::string(id), [&](Event&& e) {
      later = later || (e.at > before && std::holds_alternative<OutcomeSignal>(e.payload) &&
                        !impl.folded.undone().contains(e.position));
    });
    return later;
  };
  std::vector<std::uint32_t> left(g.node_bound(), 0);  // edges that stay, by node
  GcReport report;
  for (EdgeId e = 0; e < g.edge_bound(); ++e) {
    if (!g.is_live_edge(e)) continue;
    if (goes(e)) {
      report.edges.push_back(edge_name(g, e));
    } else {
      ++left[g.source(e)];
      ++left[g.target(e)];
    }
  }
  for (NodeId n = 0; n < g.node_bound(); ++n) {
    if (left[n] == 0 && is_orphan(n) && !is_named_later(g.id(n)))
      report.nodes.emplace_back(g.id(n));
  }
  std::sort(report.edges.begin(), report.edges.end());
  std::sort(report.nodes.begin(), report.nodes.end());
  return report;
}

}  // namespace

GcReport Engine::gc(TimeMs now, TimeMs age_ms, bool dry_run) {
  if (dry_run) return removable(*impl_, state(), now, now - age_ms);
  Batch batch(*impl_);
  GcReport report = removable(*impl_, *impl_->folded.loaded(), now, now - age_ms);
  const auto remove = [&](const std::string& subject, Forget what) {
    Event e;
    e.at = now;
    e.subject = subject;
    e.payload = std::move(what);
    batch.add_own(e);
    if (report.first_event == 0) report.first_event = e.position;
    report.last_event = e.position;
  };
  for (const EdgeName& edge : report.edges)
    remove(edge.source == kFrontier ? edge.target : edge.source, Forget{{edge}, {}});
  for (const std::string& id : report.nodes) remove(id, Forget{{}, {id}});
  batch.commit();
  // The graph cache that is written now lacks all removed nodes and edges.
  if (report.last_event != 0 && !impl_->storage.database().in_transaction() && try_sync()) {
    impl_->graph_cache.write_if_due(*impl_->folded.loaded(), impl_->folded.position(),
                                    GraphCacheKeeper::Due::when_behind);
  }
  return report;
}

Stats stats_of(Engine& engine, TimeMs now) {
  EngineImpl& impl = engine.impl();
  const State& s = impl.folded.state();
  const auto& g = s.graph();
  const auto view = s.view();
  reward::Readiness readiness(view, s.facts().times(now));
  Stats stats;
  stats.events = impl.ledger.last_position();
  for (NodeId n = 0; n < g.node_bound(); ++n) {
    if (g.nodes().created_at[n] == kNever || g.nodes().deleted_at[n] != kNever) continue;
    ++stats.nodes;
    stats.open += g.states().name(g.nodes().state[n]) == kOpen;
    const std::string_view type = g.node_types().name(g.nodes().type[n]);
    const bool is_work = std::none_of(kNoWork.begin(), kNoWork.end(),
                                      [&](std::string_view no) { return same_name(type, no); });
    stats.candidates += is_work && readiness.is_candidate(n);
    stats.vectors += s.vectors().has(n);
  }
  for (EdgeId e = 0; e < g.edge_bound(); ++e) {
    if (!g.is_live_edge(e)) continue;
    ++stats.edges;
    stats.dormant +=
        reward::dormant(view.types[g.type(e)], g.edges().weight[e], g.edges().touched_at[e], now);
  }
  stats.dimension = static_cast<std::int64_t>(s.vectors().dimension());
  stats.embedder = s.facts().embedder;
  stats.dead_letters = impl.inbox.count_dead_letters();
  stats.outcomes = impl.ledger.count_outcomes();
  for (const std::int64_t position : impl.folded.undone().events) {
    const auto event = impl.ledger.event(position);
    stats.outcomes -= event && std::holds_alternative<OutcomeSignal>(event->payload);
  }
  stats.bytes = impl.storage.database().integer(sql::Query::database_bytes).value_or(0);
  if (const sql::Upstream* server = impl.storage.upstream()) stats.copied_at = server->fresh_at();
  if (s.facts().recalibrated()) stats.recalibrated_at = s.facts().recalibrated_at;
  if (s.facts().latest.at != kNever) stats.latest_at = s.facts().latest.at;
  const auto last = static_cast<std::size_t>(view.policy.frontier_tasks);
  for (const NodeId n : reward::completed_last(view, last))
    stats.completed_last.push_back({std::string(g.id(n)), g.nodes().completed_at[n]});
  return stats;
}

}  // namespace hebb
