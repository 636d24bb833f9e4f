// The golden path from the mirror, and from the graph in memory with what it was ranked by: for
// engine/ alone.
#pragma once

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "engine/engine.h"

namespace hebb {

struct GraphRanking {
  const reward::View& view;
  const reward::Focus& focus;
  TimeMs now;
  const std::vector<reward::Ranked>& rows;                        // all candidates, best first
  std::vector<std::pair<PathRow, const reward::Ranked*>> chosen;  // those that the query asks for
};

// Nothing where the mirror does not tell: it is behind and cannot be brought up to date, it does
// not keep as many rows, or something else than the stored path is asked for.
std::optional<std::vector<PathRow>> rank_from_mirror(Engine& engine, const RankQuery& query);

// Calls use() once, while all that the ranking refers to is there.
void rank_from_graph(Engine& engine, const RankQuery& query,
                     const std::function<void(GraphRanking&)>& use);

}  // namespace hebb
