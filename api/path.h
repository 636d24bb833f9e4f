// path: the path of least cost from one node to another.
#pragma once

#include <string>
#include <vector>

#include "api/edges.h"
#include "api/operation.h"

namespace hebb::api {

struct PathRequest {
  std::string source, target;
  static const Fields& fields();
};
struct PathResult {
  double cost = 0;             // the sum of 1 / weight
  std::vector<EdgeNow> edges;  // in order; empty if both ends are the same node
  static const Fields& fields();
};
PathResult path(Session& session, const PathRequest& request);
Operation path_operation();

}  // namespace hebb::api
