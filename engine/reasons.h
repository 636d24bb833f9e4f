// The golden path in words: of each task, the two or three things that move it
// most.
#pragma once

#include <string>
#include <vector>

#include "engine/engine.h"

namespace hebb {

struct ReasonedRow {
  PathRow row;
  std::vector<std::string>
      reasons;  // the strongest first, at most three; none where nothing counts
};

// What Engine::rank() gives. Where that is from the mirror: to open the graph, and the edges around
// those tasks and their contexts; else as Engine::rank(). A reward, the contexts' outcomes and the
// task's own failures count by what they multiply its priority with; nearness, links, recency and
// time_proximity by how far they lift it above, or leave it below, the mean of all candidates. What
// changes the priority by less than a tenth is no reason.
std::vector<ReasonedRow> rank_with_reasons(Engine& engine, const RankQuery& query);

}  // namespace hebb
