// The golden path in words: of each task, the two or three things that move it
// most.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace hebb {

// What moves each of the first `count` of a ranking: the strongest first, at most three; none where
// nothing counts. near_given: the focus is not what was completed last. O(candidates + edges into
// the first and their contexts).
std::vector<std::vector<std::string>> reasons_of(const reward::View& view,
                                                 const reward::Focus& focus, TimeMs now,
                                                 const std::vector<reward::Ranked>& ranked,
                                                 std::span<const reward::Ranked* const> chosen,
                                                 bool near_given);

// What Engine::rank() gives, with reasons: from the mirror where rank() would read it, else from
// the graph. A reward, the contexts' outcomes and the task's own failures count by what they
// multiply its priority with; nearness, links, recency, time_proximity and order_proximity by how
// far they lift it above, or leave it below, the mean of all candidates. What changes the priority
// by less than a tenth is no reason.
std::vector<PathRow> rank_with_reasons(Engine& engine, const RankQuery& query);

}  // namespace hebb
