// gc: dormant edges, and nodes without edges, that nothing touched for a while.
#pragma once

#include <string>
#include <vector>

#include "api/operation.h"

namespace hebb::api {

struct GcRequest {
  Duration older_than;
  bool dry_run = false;
  static const Fields& fields();
};
struct RemovedEdge {
  std::string source, target, type;
  static const Fields& fields();
};
struct GcResult {
  bool dry_run = false;
  std::vector<RemovedEdge> edges;
  std::vector<std::string> nodes;  // ids
  static const Fields& fields();
};
GcResult gc(Session& session, const GcRequest& request);
Operation gc_operation();

}  // namespace hebb::api
