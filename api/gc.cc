#include "api/gc.h"

#include "api/common.h"

namespace hebb::api {

const Fields& GcRequest::fields() {
  static const Fields kFields = with_presets<GcRequest>({
      field("older_than", &GcRequest::older_than, "A span of time, such as 365d or 12h",
            {.unit = "ms", .required = true}),
      field("dry_run", &GcRequest::dry_run, "Only say what would be removed"),
  });
  return kFields;
}

const Fields& RemovedEdge::fields() {
  static const Fields kFields{
      field("source", &RemovedEdge::source, "The node it went out from"),
      field("target", &RemovedEdge::target, "The node it led to"),
      field("type", &RemovedEdge::type, "PARENT_OF, BLOCKS, LABELED_AS, RELATES_TO, …"),
  };
  return kFields;
}

const Fields& GcResult::fields() {
  static const Fields kFields{
      field("dry_run", &GcResult::dry_run, "Nothing was removed: this is what would be"),
      field("edges", &GcResult::edges, "Edges that were dormant"),
      field("nodes", &GcResult::nodes, "Nodes that had no other edges"),
  };
  return kFields;
}

GcResult gc(Session& session, const GcRequest& request) {
  Engine& engine = session.engine(request.dry_run ? Access::read : Access::write);
  GcReport report = engine.gc(session.now(), request.older_than.ms, request.dry_run);
  GcResult result;
  result.dry_run = request.dry_run;
  for (EdgeName& e : report.edges)
    result.edges.push_back({std::move(e.source), std::move(e.target), std::move(e.type)});
  result.nodes = std::move(report.nodes);
  return result;
}

Operation gc_operation() {
  return operation<GcRequest, GcResult>(
      {.name = "gc",
       .command = "gc",
       .summary = "Remove dormant edges, and nodes without edges, that nothing touched for a while",
       .example = "  hebb gc --older-than 365d --dry-run\n  hebb gc --older-than 365d",
       .effect = Effect::writes,
       .path = "/gc",
       .problems = {ProblemType::read_only},
       .destructive = true},
      gc);
}

}  // namespace hebb::api
