// Cycles of tasks that wait for one another.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/fold/state.h"

namespace hebb {

// Ids of tasks of which each blocks the next, and the last the first: while all of them are
// unfinished none can be ranked, nor what waits for them. A task blocks another as
// reward/readiness.h has it: by an edge, by being a part of it, or as an obstacle of its whole.
// Only a cycle for which an OPEN task waits, or that holds one. Empty: there is no such cycle. If
// there are several, the choice does not depend on the order in which edges were added. O(nodes +
// edges into tasks that others wait for).
std::vector<std::string> blocking_cycle(const State& s, reward::Times times);
// blocking_cycle(), given all OPEN tasks that are no candidates. O(edges into these and what they
// wait for).
std::vector<std::string> blocking_cycle(const State& s, reward::Times times,
                                        const std::vector<graph::NodeId>& blocked);
// The shortest such cycle through the edge source -BLOCKS-> target, the source first, whoever waits
// for it.
std::vector<std::string> blocking_cycle(const State& s, reward::Times times,
                                        std::string_view source, std::string_view target);

}  // namespace hebb
