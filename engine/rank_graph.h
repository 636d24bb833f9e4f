// The golden path from the graph in memory, with what it was ranked by: for
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

// Calls use() once, while all that the ranking refers to is there.
void rank_from_graph(Engine& engine, const RankQuery& query,
                     const std::function<void(GraphRanking&)>& use);

// The same from the mirror, where the query asks for nothing else and the mirror is up to date with
// the ledger, which is for the caller to see to; else nothing.
std::optional<std::vector<PathRow>> rank_from_mirror(Store& store, const RankQuery& query);

}  // namespace hebb
