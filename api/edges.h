// link, unlink, pivot: changing single edges.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/common.h"
#include "api/operation.h"

namespace hebb::api {

// An edge as it is at the time of the request.
struct EdgeNow : EdgeName {
  double weight = 0, stored_weight = 0;
  Time touched_at;
  bool dormant = false;
};
RECORD(EdgeNow,
       FIELDS_OF_BASE(EdgeName),
       FIELD(weight, "Its weight now, after decay"),
       FIELD(stored_weight, "Its weight when it was last touched"),
       FIELD(touched_at, "When that was"),
       FIELD(dormant, "Too weak to count"))
EdgeNow edge_now(const State& s, graph::EdgeId e, TimeMs now);

}  // namespace hebb::api
