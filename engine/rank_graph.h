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
  const std::vector<reward::Ranked>& rows;                        // all candidates, in no order
  std::vector<std::pair<PathRow, const reward::Ranked*>> chosen;  // asked for, best first
  const reward::Standings* kept;                                  // as of `now`, if there is one
  std::size_t total;  // how many fit what was asked for, with those that `top` leaves out
  std::vector<graph::NodeId> claimed;  // that would fit it too: left out, see unclaimed_at
};

// nullopt if the mirror cannot answer: it is behind and cannot be brought up to date, it does not
// keep as many rows, or the query asks for something else than the stored path.
std::optional<std::vector<PathRow>> rank_from_mirror(Engine& engine, const RankQuery& query);

// The same without bringing the mirror up to date first. Precondition: none; also within a write
// transaction.
std::optional<std::vector<PathRow>> rank_as_mirrored(Engine& engine, const RankQuery& query);
// What `near` or `vector` of the query say to be near to; empty: nothing. Throws
// std::invalid_argument for a node without a vector, and for one of another dimension.
std::vector<float> vector_near(Engine& engine, const State& state, const RankQuery& query);
// The kept ranking of the current state, if it is kept for `now`; else nullptr.
const reward::Standings* standings_at(Engine& engine, TimeMs now);

// Calls use() once. The ranking's references are valid during the call only.
void rank_from_graph(Engine& engine, const RankQuery& query,
                     const std::function<void(GraphRanking&)>& use);

// The rows of that ranking, without reasons.
std::vector<PathRow> rows_from_graph(Engine& engine, const RankQuery& query);

}  // namespace hebb
