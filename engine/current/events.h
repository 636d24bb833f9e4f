// The events that shaped an edge or a node.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/current/folded.h"

namespace hebb {

// Events come in the fold's order, up to Folded::position().

// The active events about nodes, by their ids: gc may have removed them from the graph.
// of_frontier: and all pivots, for an edge out of the frontier. targets: the targets of edges,
// which a gc removes with these nodes.
std::vector<Event> events_about(const Folded& folded, const std::vector<std::string>& ids,
                                bool of_frontier, TimeMs until,
                                const std::vector<std::string>& targets = {});
// The events of a scope. Adds to it the tasks whose outcomes may have changed its edges, and what
// other outcomes of these tasks change: all of it has to be folded together.
std::vector<Event> events_of(Folded& folded, Scope& scope, TimeMs until = kEndOfTime);
std::vector<Event> events_of(const Folded& folded, const EdgeName& edge, TimeMs until);
// All events about a task that nobody has undone, also those that hebb up to 0.2 left out since
// they repeated a completion.
std::vector<Event> events_with_repeats(const Folded& folded, std::string_view task);

// A state with the settings of the events up to a time, and nothing else.
State state_with_policies(const Folded& folded, TimeMs until);
// The events that count, of all about some tasks up to a time: see hebb::counts().
std::vector<Event> events_in_effect(const Folded& folded, std::vector<Event> events, TimeMs until);

}  // namespace hebb
