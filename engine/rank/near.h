// What a query is to be near to. Only for engine/.
#pragma once

#include <vector>

#include "engine/current/folded.h"
#include "engine/rank/query.h"

namespace hebb {

// What `near` or `vector` of the query say to be near to; empty: nothing. Throws
// std::invalid_argument for a node without a vector, and for one of another dimension.
std::vector<float> vector_near(Folded& folded, const State& state, const RankQuery& query);

}  // namespace hebb
