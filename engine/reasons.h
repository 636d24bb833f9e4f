// The golden path in words: for each task, up to three reasons for its place.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace hebb {

// For each of the first `count` of a ranking, at most three reasons, the strongest first; none if
// none is strong enough. near_given: the focus was given and is not what was completed last.
// O(candidates + edges into the first `count` and their contexts).
std::vector<std::vector<std::string>> reasons_of(const reward::View& view,
                                                 const reward::Focus& focus, TimeMs now,
                                                 const std::vector<reward::Ranked>& ranked,
                                                 std::span<const reward::Ranked* const> chosen,
                                                 bool near_given);

// The rows of Engine::rank() with reasons, from the mirror if rank() would read it, else from the
// graph. The strength of a reward, of the contexts' outcomes and of the task's own failures is the
// factor with which they multiply its priority. The strength of nearness, links, recency,
// time_proximity and order_proximity is the priority with them, divided by that with the mean of
// all candidates. What changes the priority by less than a tenth is not a reason.
std::vector<PathRow> rank_with_reasons(Engine& engine, const RankQuery& query);

}  // namespace hebb
