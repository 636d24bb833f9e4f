#include "api/edges.h"

#include <cctype>

#include <fmt/format.h>

#include "api/common.h"
#include "engine/fold/blocking.h"
#include "reward/weight.h"

namespace hebb::api {

const Fields& EdgeNow::fields() {
  static const Fields kFields{
      field("source", &EdgeNow::source, "The node it goes out from"),
      field("target", &EdgeNow::target, "The node it leads to"),
      field("type", &EdgeNow::type, "PARENT_OF, BLOCKS, LABELED_AS, RELATES_TO, …"),
      field("weight", &EdgeNow::weight, "Its weight now, after decay"),
      field("stored_weight", &EdgeNow::stored_weight, "Its weight when it was last touched"),
      field("touched_at", &EdgeNow::touched_at, "When that was"),
      field("dormant", &EdgeNow::dormant, "Too weak to count"),
  };
  return kFields;
}

EdgeNow edge_now(const State& s, graph::EdgeId e, TimeMs now) {
  const auto& g = s.graph();
  const auto& type = s.type_policy(g.type(e));
  EdgeNow edge;
  edge.source = g.id(g.source(e));
  edge.target = g.id(g.target(e));
  edge.type = g.edge_types().name(g.type(e));
  edge.stored_weight = g.edges().weight[e];
  edge.touched_at = {g.edges().touched_at[e]};
  edge.weight = reward::effective(type, edge.stored_weight, edge.touched_at.ms, now);
  edge.dormant = reward::dormant(type, edge.stored_weight, edge.touched_at.ms, now);
  return edge;
}

namespace {

template <class S>
Fields edge_fields() {
  return {
      field("source", &S::source, "The node it goes out from",
            {.required = true, .positional = true}),
      field("target", &S::target, "The node it leads to", {.required = true, .positional = true}),
      field("type", &S::type, "PARENT_OF, BLOCKS, LABELED_AS, RELATES_TO, …",
            {.required = true, .positional = true}),
  };
}

template <class S>
void require_edge_names(const S& o) {
  require_name(o.source, "source");
  require_name(o.target, "target");
  require_name(o.type, "type");
}

EdgeNow edge_after_writing(Session& session, const EdgeName& name) {
  const State& s = session.engine(Access::write).state();
  const auto e = s.find_edge(name);
  if (!e) {
    throw Problem(ProblemType::conflict,
                  "the edge is not there after all: another process removed it");
  }
  return edge_now(s, *e, session.now());
}

// A type of the policy that differs from `type` only in case and dashes; nullopt: none.
std::optional<std::string> other_spelling(const reward::Policy& policy, const std::string& type) {
  const auto plain = [](std::string text) {
    for (char& c : text)
      c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
  };
  for (const auto& [name, of_type] : policy.types) {
    if (name == type) return std::nullopt;
    if (plain(name) == plain(type)) return name;
  }
  return std::nullopt;
}

}  // namespace

// --- link ----------------------------------------------------------------------------------------

const Fields& LinkRequest::fields() {
  static const Fields kFields = [] {
    Fields fields = edge_fields<LinkRequest>();
    fields.push_back(field("weight", &LinkRequest::weight, "Above 0"));
    fields.push_back(object_field("properties", &LinkRequest::properties, "A JSON object"));
    return with_presets<LinkRequest>(std::move(fields));
  }();
  return kFields;
}

const Fields& LinkResult::fields() {
  static const Fields kFields{
      field("edge", &LinkResult::edge, "The edge as it is now"),
      field("created", &LinkResult::created, "False: it was there and is reinforced"),
      field("blocking_cycle", &LinkResult::blocking_cycle,
            "Tasks that block one another in a ring through this edge: none of them can be ranked"),
      field("did_you_mean", &LinkResult::did_you_mean,
            "A type of the policy that is spelled nearly as this one"),
  };
  return kFields;
}

LinkResult link(Session& session, const LinkRequest& request) {
  require_edge_names(request);
  Link payload{request.target, request.type, request.weight, {}};
  if (request.properties)
    payload.properties = canonical_properties(*request.properties, "properties");
  Event event;
  event.at = session.now();
  event.subject = request.source;
  event.payload = std::move(payload);
  Engine& engine = session.engine(Access::write);
  const EdgeName name{request.source, request.target, request.type};
  LinkResult result;
  result.created = !engine.state().find_edge(name).has_value();
  engine.append(std::move(event));
  result.edge = edge_after_writing(session, name);
  if (request.type == "BLOCKS") {
    result.blocking_cycle =
        blocking_cycle(engine.state(), session.now(), request.source, request.target);
  }
  if (result.created) result.did_you_mean = other_spelling(engine.state().policy(), request.type);
  return result;
}

Operation link_operation() {
  return operation<LinkRequest, LinkResult>(
      {.name = "link",
       .command = "link",
       .summary = "Make an edge, or reinforce it if it is there",
       .example = "  hebb link task-7 task-9 BLOCKS\n"
                  "  hebb link task-7 bug LABELED_AS --weight 0.5",
       .effect = Effect::writes,
       .doors = kCommandLine | kHttp | kMcp,
       .path = "/edges",
       .problems = {ProblemType::refused, ProblemType::read_only}},
      link);
}

// --- unlink --------------------------------------------------------------------------------------

const Fields& UnlinkRequest::fields() {
  static const Fields kFields = edge_fields<UnlinkRequest>();
  return kFields;
}

const Fields& UnlinkResult::fields() {
  static const Fields kFields{field("edge", &UnlinkResult::edge, "The edge as it was")};
  return kFields;
}

UnlinkResult unlink(Session& session, const UnlinkRequest& request) {
  require_edge_names(request);
  Engine& engine = session.engine(Access::write);
  const State& s = engine.state();
  require_node(s, request.source);
  require_node(s, request.target);
  const auto e = s.find_edge({request.source, request.target, request.type});
  if (!e) {
    throw Problem(ProblemType::not_found,
                  fmt::format("there is no edge {} -{}-> {}; `hebb neighbors {} --dormant` lists "
                              "those there are",
                              request.source, request.type, request.target, request.source));
  }
  UnlinkResult result{edge_now(s, *e, session.now())};
  Event event;
  event.at = session.now();
  event.subject = request.source;
  event.payload = Unlink{request.target, request.type};
  engine.append(std::move(event));
  return result;
}

Operation unlink_operation() {
  return operation<UnlinkRequest, UnlinkResult>(
      {.name = "unlink",
       .command = "unlink",
       .summary = "Remove an edge (exit 1 if it is not there)",
       .example = "  hebb unlink task-7 task-9 BLOCKS",
       .effect = Effect::writes,
       .path = "/edges/remove",
       .problems = {ProblemType::not_found, ProblemType::refused, ProblemType::read_only},
       .destructive = true},
      unlink);
}

// --- pivot ---------------------------------------------------------------------------------------

const Fields& PivotRequest::fields() {
  static const Fields kFields = with_presets<PivotRequest>({
      field("id", &PivotRequest::id, "The node; made a CONTEXT_NODE if it is unknown",
            {.required = true, .positional = true}),
      field("weight", &PivotRequest::weight, "Above 0"),
  });
  return kFields;
}

const Fields& PivotResult::fields() {
  static const Fields kFields{
      field("edge", &PivotResult::edge, "The edge from the frontier to the node"),
      field("created", &PivotResult::created, "The node is new: a CONTEXT_NODE"),
  };
  return kFields;
}

PivotResult pivot(Session& session, const PivotRequest& request) {
  require_name(request.id, "id");
  Event event;
  event.at = session.now();
  event.subject = request.id;
  event.payload = Pivot{request.weight};
  Engine& engine = session.engine(Access::write);
  PivotResult result;
  result.created = !engine.state().exists(request.id);
  engine.append(std::move(event));
  result.edge =
      edge_after_writing(session, {std::string(kFrontier), request.id, "STRATEGIC_PIVOT"});
  return result;
}

Operation pivot_operation() {
  return operation<PivotRequest, PivotResult>(
      {.name = "pivot",
       .command = "pivot",
       .summary = "Turn the frontier to a node; what it pointed at so far, failures included, "
                  "counts half",
       .example = "  hebb pivot release-2\n  hebb pivot release-2 --weight 3",
       .effect = Effect::writes,
       .path = "/pivots",
       .problems = {ProblemType::refused, ProblemType::read_only}},
      pivot);
}

}  // namespace hebb::api
