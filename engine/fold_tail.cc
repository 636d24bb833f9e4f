// Folds new events of the ledger into a state that is there. An event that is later than all that
// touched the same nodes and edges is applied at once. The others wait, and settle() folds what
// they touch again, so that the history of a node is read once for all of them.
#include <algorithm>
#include <limits>
#include <utility>

#include "engine/embed_nodes.h"
#include "engine/engine_impl.h"

namespace hebb {

using graph::NodeId;

void EngineImpl::fold(const Event& e) {
  if (is_claim(e.payload)) return;  // Claims take them
  if (std::holds_alternative<Undo>(e.payload)) {
    settle();
    fold_undo(e);
  } else if (undone.contains(e.position)) {
    // undone further on in the tail
  } else if (brings_back(e)) {
    fold_all();
  } else if (late.empty() && loaded->in_order(e)) {
    apply(*loaded, e, nullptr);
  } else {
    fold_late(e);
  }
  if (loaded && !undone.quarantined.contains(e.position)) loaded->note_latest(e);
}

void EngineImpl::fold_undo(const Event& e) {
  const auto& undo = std::get<Undo>(e.payload);
  auto target = ledger.event(undo.event);
  // To read all undos for each of many would be slow.
  if (undo.repeats && target && !std::holds_alternative<Undo>(target->payload) &&
      !undone.contains(e.position)) {
    undone.events.insert(undo.event);
    undone.repeated.emplace(undo.event, e.position);
  } else {
    undone = undone_at(kEndOfTime);
  }
  // Of a closing that counts again.
  if (const auto* inner = target ? std::get_if<Undo>(&target->payload) : nullptr;
      inner && inner->repeats) {
    target = ledger.event(inner->event);
  }
  // Which events are in quarantine may have changed: also if an undo is undone.
  const bool of_quarantine =
      !target || !undo.damage.empty() || std::holds_alternative<Undo>(target->payload);
  Scope scope;
  // Everything, if what the target did is not known (it is damaged or missing) or reaches further
  // than its edges: an undone undo brings an event back, a recalibration changes stamp().
  scope.everything = of_quarantine || std::holds_alternative<Recalibration>(target->payload);
  if (!scope.everything) loaded->add_touched(*target, scope);
  refold(scope);
  if (of_quarantine) claims = claims_of(ledger, position, undone.quarantined);
}

// An event that is out of order waits, and so does one that touches what a waiting one touches.
void EngineImpl::fold_late(const Event& e) {
  Scope scope;
  loaded->add_touched(e, scope);
  if (!scope.everything && !late.meets(scope) && loaded->in_order(e)) {
    apply(*loaded, e, nullptr);
    return;
  }
  if (std::holds_alternative<Recalibration>(e.payload)) {  // for the stamp
    apply(*loaded, e, &scope);
  }
  late.add(scope);
  late_changes_lookups =
      late_changes_lookups || !std::holds_alternative<OutcomeSignal>(e.payload) ||
      std::any_of(scope.edges.begin(), scope.edges.end(),
                  [&](const EdgeKey& k) { return loaded->type_policy(k.type).context; });
  if (late.everything) settle();
}

void EngineImpl::forget_late() {
  late = Scope{};
  late_changes_lookups = false;
}

void EngineImpl::settle() {
  if (!loaded) return;
  if (!late.empty()) {
    late_changes_lookups = false;
    const Scope scope = std::exchange(late, Scope{});
    refold(scope);
  }
  if (loaded->has_worded()) renew_vectors();
}

void EngineImpl::renew_vectors() {
  const auto content_of = [&](NodeId n) { return content(loaded->graph().id(n)); };
  const auto made_before = [&](NodeId n) {
    std::optional<std::uint64_t> made_from;
    for (const Event& e : events_about({std::string(loaded->graph().id(n))}, false, kEndOfTime)) {
      const auto* upsert = std::get_if<NodeUpsert>(&e.payload);
      if (upsert && !upsert->embedder.empty()) made_from = upsert->made_from;
    }
    return made_from;
  };
  make_vectors(*loaded, content_of, made_before);
}

// To resolve an event is to look up whether the nodes it names exist and, for an outcome, the edges
// and states by which its contexts and related nodes are found. True if waiting events may change
// that.
bool EngineImpl::reads_late(const Event& e) const {
  if (late.empty()) return false;
  const auto waits = [&](std::string_view id) {
    const auto n = loaded->graph().find_node(id);
    return n && late.nodes.contains(*n);
  };
  if (const auto* link = std::get_if<Link>(&e.payload))
    return waits(e.subject) || waits(link->target);
  if (const auto* unlink = std::get_if<Unlink>(&e.payload))
    return waits(e.subject) || waits(unlink->target);
  if (std::holds_alternative<StateChange>(e.payload) ||
      std::holds_alternative<NodeUpsert>(e.payload) ||
      std::holds_alternative<NodeDelete>(e.payload)) {
    return waits(e.subject);
  }
  // A waiting outcome (unless late_changes_lookups) changes rewards, guidance and a task's state.
  // Only a success whose related nodes must be found, or a pivot and the like, looks at these.
  const auto* outcome = std::get_if<OutcomeSignal>(&e.payload);
  const bool looks = !outcome || (outcome->outcome == OutcomeKind::success && !outcome->related);
  return looks || late_changes_lookups;
}

std::vector<Event> EngineImpl::events_of(const Scope& scope, TimeMs until) {
  const auto& g = loaded->graph();
  const NodeId frontier = loaded->frontier();
  std::unordered_set<NodeId> subjects(scope.nodes);
  bool of_frontier = false;
  for (const EdgeKey& e : scope.edges) {
    subjects.insert(e.source);
    if (e.source == frontier) {
      of_frontier = true;
      subjects.insert(e.target);
    }
  }
  std::vector<std::string> ids;
  for (const NodeId n : subjects) ids.emplace_back(g.id(n));
  return events_about(ids, of_frontier, until);
}

std::vector<Event> EngineImpl::events_about(const std::vector<std::string>& subjects,
                                            bool of_frontier, TimeMs until) {
  const auto undone_then = until == kEndOfTime ? undone : undone_at(until);
  std::vector<Event> events;
  const auto take = [&](Event&& e) {
    if (e.at <= until && e.position <= position && !undone_then.contains(e.position)) {
      events.push_back(std::move(e));
    }
  };
  for (const std::string& id : subjects) ledger.events_of_subject(id, take);
  if (of_frontier) {
    ledger.events_of_kind("pivot",
                          take);  // its subject is the target; recalibrations are the frontier's
  }
  ledger.events_of_kind("gc", take);
  std::sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
    return std::tie(a.at, a.key) < std::tie(b.at, b.key);
  });
  events.erase(std::unique(events.begin(), events.end(),
                           [](const Event& a, const Event& b) { return a.position == b.position; }),
               events.end());
  std::erase_if(events, [](const Event& e) {
    return std::holds_alternative<PolicyChange>(e.payload) ||
           std::holds_alternative<Undo>(e.payload) || is_claim(e.payload);
  });
  return events;
}

void EngineImpl::refold(const Scope& scope) {
  if (scope.everything) return fold_all();
  if (scope.empty()) return;
  const auto left_out_before = left_out;
  const auto events = events_of(scope, kEndOfTime);
  loaded->reset(scope);
  for (const Event& e : events) apply(*loaded, e, &scope);
  if (left_out != left_out_before) return fold_all();
  if (undone.quarantined.empty() || !loaded->hangs(scope)) return;
  auto more = drop_hanging(*loaded, undone);
  if (hanging) hanging->merge(more);  // those of before are no longer in the graph
}

}  // namespace hebb
