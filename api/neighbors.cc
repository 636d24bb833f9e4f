#include "api/neighbors.h"

#include <algorithm>

#include "api/common.h"
#include "api/graph_view.h"
#include "api/room.h"
#include "reward/ranking.h"

namespace hebb::api {

using graph::EdgeId;

namespace {

constexpr std::size_t kEdgeFields = 7;

}  // namespace

// --- neighbors -----------------------------------------------------------------------------------

const Fields& NeighborsRequest::fields() {
  using R = NeighborsRequest;
  static const Fields kFields = with_presets<R>({
      field("id", &R::id, "The node", {.required = true, .positional = true, .was = "node"}),
      field("direction", &R::direction, "Edges that lead to it, that go out from it, or both",
            {.choices = {"in", "out", "both"}, .option = "--in or --out", .hidden = true}),
      field("type", &R::type, "Only edges of this type"),
      field("dormant", &R::dormant, "Dormant edges too"),
      field("limit", &R::limit, "At most so many; else all", {.unit = "edges", .min = 1}),
      field("offset", &R::offset, "How many to leave out at the beginning",
            {.unit = "edges", .min = 0}),
  });
  return kFields;
}

const Fields& NeighborsResult::fields() {
  using R = NeighborsResult;
  static const Fields kFields{
      field("edges", &R::edges, "The strongest first"),
      field("dormant_omitted", &R::dormant_omitted, "How many dormant edges were left out"),
      field("next", &R::next, "The offset to go on with; absent: there are no more"),
  };
  return kFields;
}

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

NeighborsResult neighbors(Session& session, const NeighborsRequest& request) {
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

Operation neighbors_operation() {
  return operation<NeighborsRequest, NeighborsResult>(
      {.name = "neighbors",
       .command = "neighbors",
       .summary = "The edges of a node, strongest first",
       .example = "  hebb neighbors task-7\n"
                  "  hebb neighbors task-7 --in --type BLOCKS\n"
                  "  hebb neighbors frontier --out --dormant --json",
       .effect = Effect::reads,
       .path = "/edges",
       .problems = {ProblemType::not_found}},
      neighbors);
}

// --- frontier ------------------------------------------------------------------------------------

const Fields& FrontierRequest::fields() {
  static const Fields kFields{};
  return kFields;
}

const Fields& CompletedTask::fields() {
  static const Fields kFields{
      field("id", &CompletedTask::id, "The task"),
      field("at", &CompletedTask::at, "When it was completed"),
  };
  return kFields;
}

const Fields& FrontierResult::fields() {
  static const Fields kFields{
      field("edges", &FrontierResult::edges,
            "The edges of the frontier, to tasks it guides to or that failed; the strongest first"),
      field("completed_last", &FrontierResult::completed_last,
            "The tasks completed last, from which nearness is measured"),
  };
  return kFields;
}

FrontierResult frontier(Session& session, const FrontierRequest&) {
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

Operation frontier_operation() {
  return operation<FrontierRequest, FrontierResult>(
      {.name = "frontier",
       .command = "frontier",
       .summary = "What the frontier points at or holds back, and what was completed last",
       .example = "  hebb frontier\n  hebb frontier --json",
       .effect = Effect::reads,
       .path = "/frontier"},
      frontier);
}

}  // namespace hebb::api
