// Cycles of tasks that block one another.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/fold/state.h"

namespace hebb {

// Ids of tasks of which each blocks the next, and the last the first: while all of them are OPEN
// none can be ranked. Empty: there is no such cycle. If there are several, the choice does not
// depend on the order in which edges were added. O(nodes + edges into OPEN ones).
std::vector<std::string> blocking_cycle(const State& s, TimeMs now);
// The same, given all OPEN tasks that are blocked. O(edges into these).
std::vector<std::string> blocking_cycle(const State& s, TimeMs now,
                                        std::vector<graph::NodeId> blocked);
// The shortest such cycle through the edge source -BLOCKS-> target, the source first.
std::vector<std::string> blocking_cycle(const State& s, TimeMs now, std::string_view source,
                                        std::string_view target);

}  // namespace hebb
