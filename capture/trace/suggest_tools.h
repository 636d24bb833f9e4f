// Which tool usually comes next: the edges between tools that were learned from traces, ranked by
// how often they were seen.
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
  // How often the edge was observed since its last removal; each observation decays like a weight
  // of its type. Unlike a weight it has no cap and no daily limit, so 95 to 5 stays 95 to 5.
  double count = 0;
  double share = 0;       // of the sum of all counts in this relation, including those past `top`
  double weight = 0;      // effective at the given time
  TimeMs touched_at = 0;  // of the last observation
};

enum class ToolKnown : std::uint8_t { yes, no_such_node, not_a_tool };
ToolKnown tool_known(const State& state, std::string_view tool);

// Edges from a tool to others that are dormant at the given time.
struct FadedLinks {
  std::size_t count = 0;
  TimeMs last_seen = 0;  // of the latest of them; 0 if there are none
};

struct ToolSuggestions {
  // Sorted by relation (FOLLOWS first), then by count, largest first; ties by weight, then by id.
  // Without dormant edges and deleted tools.
  std::vector<ToolSuggestion> found;
  FadedLinks faded;
};

// At most `top` of each relation; empty if there is no such tool. Counts are read from the ledger:
// O(events of the tool).
ToolSuggestions suggest_tools(Engine& engine, std::string_view tool, TimeMs now, std::size_t top);

}  // namespace hebb::capture
