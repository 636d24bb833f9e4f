#include "engine/current/events.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>

#include "engine/fold/done_once.h"

namespace hebb {

using graph::NodeId;

namespace {

bool is_whole_gc(const Event& e) {
  return std::holds_alternative<Forget>(e.payload) && e.subject == kWholeGc;
}

void sort(std::vector<Event>& events) {
  std::ranges::sort(events, {}, [](const Event& e) { return std::tie(e.at, e.key, e.subject); });
}

}  // namespace

std::vector<Event> events_about(const Folded& folded, const std::vector<std::string>& ids,
                                bool of_frontier, TimeMs until,
                                const std::vector<std::string>& targets) {
  const Ledger& ledger = folded.storage().ledger();
  const Undone undone = until == kEndOfTime ? folded.undone() : undone_at(ledger, until);
  std::vector<Event> events;
  const auto take = [&](Event&& e) {
    const bool counts =
        e.at <= until && e.position <= folded.position() && !undone.contains(e.position);
    const bool shapes = !std::holds_alternative<PolicyChange>(e.payload) &&
                        !std::holds_alternative<Undo>(e.payload) && !is_claim(e.payload);
    if (counts && shapes) events.push_back(std::move(e));
  };
  const auto take_gcs_of = [&](const std::string& id) {
    for (const Event& e : folded.whole_gcs().removals_of(id)) take(Event(e));
  };
  for (const std::string& id : ids) {
    ledger.events_of_subject(id, [&](Event&& e) {
      if (!is_whole_gc(e)) take(std::move(e));
    });
    take_gcs_of(id);
  }
  for (const std::string& id : targets) {
    ledger.gcs_of_subject(id, [&](Event&& e) {
      if (!is_whole_gc(e)) take(std::move(e));
    });
    take_gcs_of(id);
  }
  // The subject of a pivot is its target; recalibrations are the frontier's.
  if (of_frontier) ledger.events_of_kind("pivot", take);
  sort(events);
  events.erase(std::unique(events.begin(), events.end(),
                           [](const Event& a, const Event& b) {
                             return a.position == b.position && a.subject == b.subject;
                           }),
               events.end());
  return events;
}

namespace {

// Adds the tasks whose outcomes may have changed the edges of the scope: whether these count
// follows from the tasks.
void add_tasks_of_outcomes(const graph::Graph& g, Scope& scope) {
  const graph::Names& types = g.edge_types();
  const auto positive = types.find(kRewardPositive), negative = types.find(kRewardNegative),
             guides = types.find(kGuides);
  for (const EdgeKey& edge : scope.edges) {
    if (edge.type != positive && edge.type != negative && edge.type != guides) continue;
    const NodeId task = edge.source == kFrontierNode ? edge.target : edge.source;
    if (task != kFrontierNode) scope.nodes.insert(task);
  }
}

std::vector<Event> events_in(const Folded& folded, const State& s, const Scope& scope,
                             TimeMs until) {
  std::unordered_set<NodeId> subjects(scope.nodes), ends;
  bool of_frontier = false;
  for (const EdgeKey& e : scope.edges) {
    subjects.insert(e.source);
    const bool from_frontier = e.source == kFrontierNode;
    of_frontier = of_frontier || from_frontier;
    (from_frontier ? subjects : ends).insert(e.target);
  }
  std::vector<std::string> ids, targets;
  for (const NodeId n : subjects) ids.emplace_back(s.graph().id(n));
  for (const NodeId n : ends) {
    if (!subjects.contains(n)) targets.emplace_back(s.graph().id(n));
  }
  return events_about(folded, ids, of_frontier, until, targets);
}

}  // namespace

std::vector<Event> events_of(Folded& folded, Scope& scope, TimeMs until) {
  State& s = *folded.loaded();
  add_tasks_of_outcomes(s.graph(), scope);
  auto events = events_in(folded, s, scope, until);
  const std::size_t edges = scope.edges.size();
  for (const Event& e : events) {
    if (!std::holds_alternative<OutcomeSignal>(e.payload)) continue;
    const auto task = s.graph().find_node(e.subject);
    if (task && scope.nodes.contains(*task)) s.add_touched(e, scope);
  }
  return scope.edges.size() == edges ? events : events_in(folded, s, scope, until);
}

std::vector<Event> events_of(const Folded& folded, const EdgeName& edge, TimeMs until) {
  const bool of_frontier = edge.source == kFrontier;
  if (of_frontier) return events_about(folded, {edge.source, edge.target}, true, until);
  return events_about(folded, {edge.source}, false, until, {edge.target});
}

std::vector<Event> events_with_repeats(const Folded& folded, std::string_view task) {
  const Undone& undone = folded.undone();
  std::vector<Event> events;
  folded.storage().ledger().events_of_subject(task, [&](Event&& e) {
    const bool counts = !undone.contains(e.position) || undone.repeated.contains(e.position);
    if (counts && !is_claim(e.payload)) events.push_back(std::move(e));
  });
  sort(events);
  return events;
}

State state_with_policies(const Folded& folded, TimeMs until) {
  State state;
  folded.storage().ledger().events_of_kind("policy", [&](Event&& e) {
    if (e.at <= until && !folded.undone().contains(e.position)) state.apply(e);
  });
  return state;
}

std::vector<Event> events_in_effect(const Folded& folded, std::vector<Event> events, TimeMs until) {
  State state = state_with_policies(folded, until);
  std::erase_if(events, [&](const Event& e) {
    if (!counts(state, e)) return true;
    state.apply(e);
    return false;
  });
  return events;
}

}  // namespace hebb
