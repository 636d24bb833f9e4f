// link, unlink, pivot: changing single edges.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"

namespace hebb::api {

// An edge as it is at the time of the request.
struct EdgeNow {
  std::string source, target, type;
  double weight = 0, stored_weight = 0;
  Time touched_at;
  bool dormant = false;
  static const Fields& fields();
};
EdgeNow edge_now(const State& s, graph::EdgeId e, TimeMs now);

struct LinkRequest {
  std::string source, target, type;
  double weight = 1;
  std::optional<Json> properties;
  static const Fields& fields();
};
struct LinkResult {
  EdgeNow edge;
  bool created = false;                     // false: it existed and was reinforced
  std::vector<std::string> blocking_cycle;  // ids; empty: none
  std::optional<std::string> did_you_mean;  // a type that is spelled nearly the same
  static const Fields& fields();
};
LinkResult link(Session& session, const LinkRequest& request);
Operation link_operation();

struct UnlinkRequest {
  std::string source, target, type;
  static const Fields& fields();
};
struct UnlinkResult {
  EdgeNow edge;  // as it was before
  static const Fields& fields();
};
UnlinkResult unlink(Session& session, const UnlinkRequest& request);
Operation unlink_operation();

struct PivotRequest {
  std::string id;
  double weight = 1;
  static const Fields& fields();
};
struct PivotResult {
  EdgeNow edge;          // from the frontier
  bool created = false;  // the node is new
  static const Fields& fields();
};
PivotResult pivot(Session& session, const PivotRequest& request);
Operation pivot_operation();

}  // namespace hebb::api
