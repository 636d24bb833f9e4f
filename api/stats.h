// stats: counts of what the database holds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"

namespace hebb::api {

struct StatsRequest {
  static const Fields& fields();
};
struct StatsResult {
  std::string database;
  std::int64_t bytes = 0, events = 0, outcomes = 0, nodes = 0, open = 0, candidates = 0;
  std::vector<std::string> blocking_cycle;
  std::int64_t edges = 0, dormant = 0, vectors = 0, dimension = 0, dead_letters = 0;
  std::optional<std::string> embedder;
  std::optional<Time> recalibrated_at, latest_at;
  static const Fields& fields();
};
StatsResult stats(Session& session, const StatsRequest& request);
Operation stats_operation();

}  // namespace hebb::api
