// The golden path from the mirror, and from the graph in memory with what it was ranked by. Only
// for engine/.
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

// nullopt if the mirror cannot answer: it is behind and cannot be brought up to date, it does not
// keep as many rows, or the query asks for something else than the stored path.
std::optional<std::vector<PathRow>> rank_from_mirror(Engine& engine, const RankQuery& query);

// The same without bringing the mirror up to date first. Precondition: none; also within a write
// transaction.
std::optional<std::vector<PathRow>> rank_as_mirrored(Engine& engine, const RankQuery& query);

// Calls use() once. The ranking's references are valid during the call only.
void rank_from_graph(Engine& engine, const RankQuery& query,
                     const std::function<void(GraphRanking&)>& use);

}  // namespace hebb
