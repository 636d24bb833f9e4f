#include "api/path.h"

#include <fmt/format.h>

#include "api/common.h"
#include "api/graph_view.h"
#include "graph/algorithms.h"

namespace hebb::api {

const Fields& PathRequest::fields() {
  static const Fields kFields{
      field("source", &PathRequest::source, "Where it begins",
            {.required = true, .positional = true, .was = "from"}),
      field("target", &PathRequest::target, "Where it ends",
            {.required = true, .positional = true, .was = "to"}),
  };
  return kFields;
}

const Fields& PathResult::fields() {
  static const Fields kFields{
      field("cost", &PathResult::cost, "The sum of what its edges cost, 1 / weight each"),
      field("edges", &PathResult::edges, "In order; none where it ends at the node it begins at"),
  };
  return kFields;
}

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

Operation path_operation() {
  return operation<PathRequest, PathResult>(
      {.name = "path",
       .command = "path",
       .summary = "The strongest way from one node to another; an edge costs 1 / weight",
       .example = "  hebb path task-7 task-9\n  hebb path frontier task-9 --json",
       .effect = Effect::reads,
       .doors = kCommandLine | kHttp | kMcp,
       .path = "/edges/path",
       .problems = {ProblemType::not_found}},
      path);
}

}  // namespace hebb::api
