// path: the path of least cost from one node to another.
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/common.h"
#include "api/edges.h"
#include "api/graph_view.h"
#include "api/operations.h"
#include "graph/algorithms.h"

namespace hebb::api {

struct PathRequest {
  std::string source, target;
};
RECORD(PathRequest,
       FIELD(source, "Where it begins", {.required = true, .positional = true}),
       FIELD(target, "Where it ends", {.required = true, .positional = true}))

struct PathResult {
  double cost = 0;             // the sum of 1 / weight
  std::vector<EdgeNow> edges;  // in order; empty if both ends are the same node
};
RECORD(PathResult,
       FIELD(cost, "The sum of what its edges cost, 1 / weight each"),
       FIELD(edges, "In order; none where it ends at the node it begins at"))

PathResult path(Session& session, const PathRequest& request) {
  const State& s = session.engine(Access::read).state();
  const auto source = require_node(s, request.source), target = require_node(s, request.target);
  const auto cost = costs(s, session.now());
  const auto edges = graph::shortest_path(s.graph(), source, target, cost);
  if (!edges) {
    throw Problem(ProblemType::not_found,
                  fmt::format("there is no path from {} to {} along edges that are not dormant; "
                              "edges are followed from source to target",
                              request.source, request.target));
  }
  PathResult result;
  for (const auto e : *edges) {
    result.cost += cost[e];
    result.edges.push_back(edge_now(s, e, session.now()));
  }
  return result;
}

Operations path_operations() {
  return {
      operation({.name = "path",
                 .summary = "The strongest way from one node to another; an edge costs 1 / weight",
                 .example = "  hebb path task-7 task-9\n  hebb path frontier task-9 --json",
                 .route = "GET /edges/path",
                 .tool = true,
                 .problems = {ProblemType::not_found}},
                path),
  };
}

}  // namespace hebb::api
