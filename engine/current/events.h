// The events that shaped an edge or a node.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/current/folded.h"

namespace hebb {

// All of these: in the fold's order, up to Folded::position().

// The active events about nodes. Of ids, which the graph need not have: gc may have removed them.
// of_frontier: and all pivots, for an edge out of the frontier. targets: of edges, which go with
// them if a gc removes them.
std::vector<Event> events_about(const Folded& folded, const std::vector<std::string>& ids,
                                bool of_frontier, TimeMs until,
                                const std::vector<std::string>& targets = {});
// Of a scope, to which the tasks are added whose outcomes may have changed its edges, and what
// other outcomes of these tasks change: all of that has to be folded together.
std::vector<Event> events_of(Folded& folded, Scope& scope, TimeMs until = kEndOfTime);
std::vector<Event> events_of(const Folded& folded, const EdgeName& edge, TimeMs until);
// All events about a task that nobody has undone, also those that hebb up to 0.2 left out since
// they repeated a completion.
std::vector<Event> events_with_repeats(const Folded& folded, std::string_view task);

// With the settings of the events up to a time, and nothing else.
State state_with_policies(const Folded& folded, TimeMs until);
// Those that count, of all events about some tasks up to a time: see hebb::counts().
std::vector<Event> events_in_effect(const Folded& folded, std::vector<Event> events, TimeMs until);

}  // namespace hebb
