// neighbors, frontier: the edges of a node as they are now.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "api/common.h"
#include "api/edges.h"
#include "api/graph_view.h"
#include "api/operations.h"
#include "api/room.h"
#include "reward/ranking.h"

namespace hebb::api {

using graph::EdgeId;

namespace {

constexpr std::size_t kEdgeFields = 7;

}  // namespace

// --- neighbors -----------------------------------------------------------------------------------

struct NeighborsRequest {
  std::string id, direction = "both", type;
  bool dormant = false;
  std::optional<std::int64_t> limit;
  std::int64_t offset = 0;
};
RECORD(NeighborsRequest,
       FIELD(id, "The node", {.required = true, .positional = true}),
       FIELD(direction, "Edges that lead to it, that go out from it, or both",
             {.choices = {"in", "out", "both"},
              .flag_words = {"Only edges that lead to it", "Only edges that go out from it"}}),
       FIELD(type, "Only edges of this type"),
       FIELD(dormant, "Dormant edges too"),
       FIELD(limit, "At most so many; else all", {.unit = "edges", .min = 1}),
       FIELD(offset, "How many to leave out at the beginning", {.unit = "edges", .min = 0}))

struct NeighborsResult {
  std::vector<EdgeNow> edges;        // strongest first
  std::int64_t dormant_omitted = 0;  // dormant edges that were left out
  std::optional<std::int64_t> next;  // `offset` for the next page; absent: no more
};
RECORD(NeighborsResult,
       FIELD(edges, "The strongest first"),
       FIELD(dormant_omitted, "How many dormant edges were left out"),
       FIELD(next, "The offset to go on with; absent: there are no more"))

namespace {

// Calls take(edge) once for each edge that leads to a node or goes out from it.
template <class Take>
void each_edge(const graph::Graph& g, graph::NodeId n, const std::string& direction, Take take) {
  const bool out = direction != "in", in = direction != "out";
  if (out) std::ranges::for_each(g.out_edges(n), take);
  if (!in) return;
  for (const EdgeId e : g.in_edges(n)) {
    const bool taken = out && g.source(e) == n;
    if (!taken) take(e);
  }
}

}  // namespace

static NeighborsResult neighbors(Session& session, const NeighborsRequest& request) {
  const State& s = session.engine(Access::read).state();
  const auto n = require_node(s, request.id);
  NeighborsResult result;
  std::vector<EdgeNow> edges;
  each_edge(s.graph(), n, request.direction, [&](EdgeId e) {
    if (!is_between_existing(s, e)) return;
    EdgeNow edge = edge_now(s, e, session.now());
    if (!request.type.empty() && edge.type != request.type) return;
    const bool taken = !edge.dormant || request.dormant;
    if (taken)
      edges.push_back(std::move(edge));
    else
      ++result.dormant_omitted;
  });
  strongest_first(edges);
  const auto size = static_cast<std::int64_t>(edges.size());
  const auto begin = std::min(request.offset, size);
  const auto end = begin + std::min(request.limit.value_or(size), size - begin);
  Room room(session);
  auto at = begin;
  for (; at < end; ++at) {
    EdgeNow& edge = edges[static_cast<std::size_t>(at)];
    if (!room.fits(kEdgeFields, edge.source, edge.target, edge.type)) break;
    result.edges.push_back(std::move(edge));
  }
  if (at < size) result.next = at;
  return result;
}

// --- frontier ------------------------------------------------------------------------------------

struct CompletedTask {
  std::string id;
  Time at;
};
RECORD(CompletedTask,
       FIELD(id, "The task"),
       FIELD(at, "When it was completed"))

struct FrontierResult {
  std::vector<EdgeNow> edges;  // strongest first
  std::vector<CompletedTask> completed_last;
};
RECORD(FrontierResult,
       FIELD(edges, "The edges of the frontier, to tasks it guides to or that failed; the "
             "strongest first"),
       FIELD(completed_last, "The tasks completed last, from which nearness is measured"))

static FrontierResult frontier(Session& session, const Nothing&) {
  const State& s = session.engine(Access::read).state();
  FrontierResult result;
  Room room(session);
  for (const EdgeId e : s.graph().out_edges(kFrontierNode)) {
    if (!is_between_existing(s, e)) continue;
    EdgeNow edge = edge_now(s, e, session.now());
    if (edge.weight <= 0) continue;
    room.take(kEdgeFields, edge.source, edge.target, edge.type);
    result.edges.push_back(std::move(edge));
  }
  strongest_first(result.edges);
  for (const auto n : reward::completed_last(s.view())) {
    result.completed_last.push_back(
        {std::string(s.graph().id(n)), Time{s.graph().nodes().completed_at[n]}});
  }
  return result;
}

Operations neighbors_operations() {
  return {
      operation({.name = "neighbors",
                 .summary = "The edges of a node, strongest first",
                 .example = "  hebb neighbors task-7\n"
                            "  hebb neighbors task-7 --in --type BLOCKS\n"
                            "  hebb neighbors frontier --out --dormant --json",
                 .route = "GET /edges",
                 .problems = {ProblemType::not_found}},
                neighbors),
      operation(
          {.name = "frontier",
           .summary = "What the frontier points at or holds back, and what was completed last",
           .example = "  hebb frontier\n  hebb frontier --json",
           .route = "GET /frontier"},
          frontier),
  };
}

}  // namespace hebb::api
