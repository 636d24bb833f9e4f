// The ranking of the current state. Only for engine/.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/current/folded.h"
#include "engine/rank/query.h"
#include "engine/rank/reasons.h"

namespace hebb {

// The mean of the ranked tasks, kept from one query to the next.
struct KeptMean {
  std::pair<std::int64_t, std::int64_t> version;  // Folded::version()
  reward::Times at{graph::kNever};                // of the ranking
  std::optional<MeanFactors> mean;
};

// The vector that the query's `near` or `vector` gives; empty: none. Throws std::invalid_argument
// for a node without a vector, and for one of another dimension.
std::vector<float> vector_near(Folded& folded, const State& state, const RankQuery& query);

// As Engine::rank().
std::vector<RankRow> rank(Folded& folded, KeptMean& mean, const RankQuery& query,
                          RankSummary* summary);

}  // namespace hebb
