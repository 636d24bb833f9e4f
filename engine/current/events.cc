#include "engine/current/events.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>

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
    for (const Event& e : folded.whole_gcs().of(id)) take(Event(e));
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

std::vector<Event> events_of(Folded& folded, const Scope& scope, TimeMs until) {
  const State& s = *folded.loaded();
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

std::vector<Event> events_of(const Folded& folded, const EdgeName& edge, TimeMs until) {
  const bool of_frontier = edge.source == kFrontier;
  if (of_frontier) return events_about(folded, {edge.source, edge.target}, true, until);
  return events_about(folded, {edge.source}, false, until, {edge.target});
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
