// What usually comes next: the edges that traces left between tools, ranked.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "capture/trace_fold.h"
#include "engine/state.h"

namespace hebb::capture {

struct ToolSuggestion {
  Relation relation = Relation::follows;
  std::size_t rank = 0;  // 1, 2, … within its relation
  std::string tool;
  double weight = 0;      // effective at the time asked for
  double share = 0;       // of all that hold in this relation, also of those past `top`
  TimeMs touched_at = 0;  // when it was last seen
};

enum class ToolKnown : std::uint8_t { yes, no_such_node, not_a_tool };
ToolKnown tool_known(const State& state, std::string_view tool);

// Relation by relation (FOLLOWS first), heaviest first, ties by id; at most `top` of each. Dormant
// edges and deleted tools are left out. Empty if there is no such tool. O(degree · log degree).
std::vector<ToolSuggestion> suggest_tools(const State& state, std::string_view tool, TimeMs now,
                                          std::size_t top);

}  // namespace hebb::capture
