// What usually comes next: the edges that traces left between tools, ranked by how often they were
// seen.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "capture/trace/fold.h"
#include "engine/engine.h"

namespace hebb::capture {

struct ToolSuggestion {
  Relation relation = Relation::follows;
  std::size_t rank = 0;  // 1, 2, … within its relation
  std::string tool;
  // How often it was seen since the edge was last removed, each time fading as a weight of the
  // edge's type decays. Without the cap and the daily bound of a weight: 95 to 5 stays 95 to 5.
  double count = 0;
  double share = 0;   // of the counts of all that hold in this relation, also of those past `top`
  double weight = 0;  // effective at the time asked for
  TimeMs touched_at = 0;  // when it was last seen
};

enum class ToolKnown : std::uint8_t { yes, no_such_node, not_a_tool };
ToolKnown tool_known(const State& state, std::string_view tool);

// Relation by relation (FOLLOWS first), the highest count first, ties by weight, then by id; at
// most `top` of each. Dormant edges and deleted tools are left out. Empty if there is no such tool.
// Counts are read from the ledger: O(events of the tool).
std::vector<ToolSuggestion> suggest_tools(Engine& engine, std::string_view tool, TimeMs now,
                                          std::size_t top);

}  // namespace hebb::capture
