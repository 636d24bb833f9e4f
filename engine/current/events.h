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
std::vector<Event> events_of(Folded& folded, const Scope& scope, TimeMs until);
std::vector<Event> events_of(const Folded& folded, const EdgeName& edge, TimeMs until);
// All events about a task but for those that somebody has undone: also those that repeat a
// completion.
std::vector<Event> events_told_of(const Folded& folded, std::string_view task);

}  // namespace hebb
