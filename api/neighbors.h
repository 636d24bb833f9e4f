// neighbors, frontier: the edges of a node as they are now.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/edges.h"
#include "api/operation.h"

namespace hebb::api {

struct NeighborsRequest {
  std::string id, direction = "both", type;
  bool dormant = false;
  std::optional<std::int64_t> limit;
  std::int64_t offset = 0;
  static const Fields& fields();
};
struct NeighborsResult {
  std::vector<EdgeNow> edges;        // strongest first
  std::int64_t dormant_omitted = 0;  // dormant edges that were left out
  std::optional<std::int64_t> next;  // `offset` for the next page; absent: no more
  static const Fields& fields();
};
NeighborsResult neighbors(Session& session, const NeighborsRequest& request);
Operation neighbors_operation();

struct FrontierRequest {
  static const Fields& fields();
};
struct CompletedTask {
  std::string id;
  Time at;
  static const Fields& fields();
};
struct FrontierResult {
  std::vector<EdgeNow> edges;  // strongest first
  std::vector<CompletedTask> completed_last;
  static const Fields& fields();
};
FrontierResult frontier(Session& session, const FrontierRequest& request);
Operation frontier_operation();

}  // namespace hebb::api
