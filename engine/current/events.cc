#include "engine/current/events.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>

namespace hebb {

using graph::NodeId;

namespace {

void sort(std::vector<Event>& events) {
  std::ranges::sort(events, {}, [](const Event& e) { return std::tie(e.at, e.key); });
}

}  // namespace

std::vector<Event> events_about(const Folded& folded, const std::vector<std::string>& ids,
                                bool of_frontier, TimeMs until) {
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
  for (const std::string& id : ids) ledger.events_of_subject(id, take);
  // The subject of a pivot is its target; recalibrations are the frontier's.
  if (of_frontier) ledger.events_of_kind("pivot", take);
  ledger.events_of_kind("gc", take);
  sort(events);
  events.erase(std::unique(events.begin(), events.end(),
                           [](const Event& a, const Event& b) { return a.position == b.position; }),
               events.end());
  return events;
}

std::vector<Event> events_of(Folded& folded, const Scope& scope, TimeMs until) {
  const State& s = *folded.loaded();
  std::unordered_set<NodeId> subjects(scope.nodes);
  bool of_frontier = false;
  for (const EdgeKey& e : scope.edges) {
    subjects.insert(e.source);
    if (e.source != kFrontierNode) continue;
    of_frontier = true;
    subjects.insert(e.target);
  }
  std::vector<std::string> ids;
  for (const NodeId n : subjects) ids.emplace_back(s.graph().id(n));
  return events_about(folded, ids, of_frontier, until);
}

std::vector<Event> events_of(const Folded& folded, const EdgeName& edge, TimeMs until) {
  const bool of_frontier = edge.source == kFrontier;
  std::vector<std::string> ids{edge.source};
  if (of_frontier) ids.push_back(edge.target);
  return events_about(folded, ids, of_frontier, until);
}

std::vector<Event> events_told_of(const Folded& folded, std::string_view task) {
  const Undone& undone = folded.undone();
  std::vector<Event> events;
  folded.storage().ledger().events_of_subject(task, [&](Event&& e) {
    const bool counts = !undone.contains(e.position) || undone.repeated.contains(e.position);
    if (counts && !is_claim(e.payload)) events.push_back(std::move(e));
  });
  sort(events);
  return events;
}

}  // namespace hebb
