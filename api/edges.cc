// link, unlink, pivot: changing single edges.
#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include "api/common.h"
#include "api/operation.h"
#include "engine/fold/blocking.h"

namespace hebb::api {

namespace {

EdgeNow edge_after_writing(Session& session, Engine& engine, const EdgeName& name) {
  const State& s = engine.state();
  const auto e = s.find_edge(name);
  if (!e) throw Problem(ProblemType::conflict, "a later event of the ledger removes the edge");
  return edge_now(s, *e, session.now());
}

// The policy's type that differs from `type` only in case and dashes; nullopt: none.
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

struct LinkRequest : EdgeName {
  double weight = 1;
  std::optional<Object> properties;
};
RECORD(LinkRequest, part<EdgeName>(self), FIELD(weight, "Above 0"),
       FIELD(properties, "A JSON object"))

struct LinkResult {
  EdgeNow edge;
  bool created = false;
  std::vector<std::string> blocking_cycle;
  std::optional<std::string> did_you_mean;
};
RECORD(
    LinkResult, FIELD(edge, "The edge as it is now"),
    FIELD(created, "False: it was there and is reinforced"),
    FIELD(blocking_cycle,
          "Tasks that block one another in a ring through this edge: none of them can be ranked"),
    FIELD(did_you_mean, "A type of the policy that is spelled nearly as this one"))

static LinkResult link(Session& session, const LinkRequest& request) {
  require_edge_names(request);
  Link payload{request.target, request.type, request.weight, {}};
  if (request.properties)
    payload.properties = canonical_properties(*request.properties, "properties");
  const EdgeName name{request.source, request.target, request.type};
  return write(session, [&](Engine& engine) {
    LinkResult result;
    result.created = !engine.state().find_edge(name).has_value();
    append_now(session, request.source, payload);
    result.edge = edge_after_writing(session, engine, name);
    if (request.type == "BLOCKS") {
      result.blocking_cycle =
          blocking_cycle(engine.state(), session.now(), request.source, request.target);
    }
    if (result.created) result.did_you_mean = other_spelling(engine.state().policy(), request.type);
    return result;
  });
}

// --- unlink --------------------------------------------------------------------------------------

struct UnlinkResult {
  EdgeNow edge;
};
RECORD(UnlinkResult, FIELD(edge, "The edge as it was"))

static UnlinkResult unlink(Session& session, const EdgeName& request) {
  require_edge_names(request);
  return write(session, [&](Engine& engine) {
    const State& s = engine.state();
    require_node(s, request.source);
    require_node(s, request.target);
    const auto e = s.find_edge({request.source, request.target, request.type});
    if (!e) {
      throw problem(
          ProblemType::not_found, "",
          "there is no edge {} -{}-> {}; `hebb neighbors {} --dormant` lists those there are",
          request.source, request.type, request.target, request.source);
    }
    UnlinkResult result{edge_now(s, *e, session.now())};
    append_now(session, request.source, Unlink{request.target, request.type});
    return result;
  });
}

// --- pivot ---------------------------------------------------------------------------------------

struct PivotRequest {
  std::string id;
  double weight = 1;
};
RECORD(PivotRequest,
       FIELD(id, "The node; created as a CONTEXT_NODE if it is unknown",
             {.required = true, .positional = true}),
       FIELD(weight, "Above 0"))

struct PivotResult {
  EdgeNow edge;
  bool created = false;
};
RECORD(PivotResult, FIELD(edge, "The edge from `frontier`, hebb's own node, to the node"),
       FIELD(created, "The node is new: a CONTEXT_NODE"))

static PivotResult pivot(Session& session, const PivotRequest& request) {
  require_name(request.id, "id");
  return write(session, [&](Engine& engine) {
    PivotResult result;
    result.created = !engine.state().exists(request.id);
    append_now(session, request.id, Pivot{request.weight});
    result.edge = edge_after_writing(session, engine,
                                     {std::string(kFrontier), request.id, "STRATEGIC_PIVOT"});
    return result;
  });
}

Operations edges_operations() {
  return {
      operation({.name = "link",
                 .summary = "Create an edge, or reinforce it if it is there",
                 .example = "  hebb link task-7 task-9 BLOCKS\n"
                            "  hebb link task-7 bug LABELED_AS --weight 0.5",
                 .route = "POST /edges",
                 .tool = Tool::all,
                 .problems = {ProblemType::refused}},
                link),
      operation({.name = "unlink",
                 .summary = "Remove an edge (exit 1 if it is not there)",
                 .example = "  hebb unlink task-7 task-9 BLOCKS",
                 .route = "POST /edges/remove",
                 .problems = {ProblemType::not_found, ProblemType::refused},
                 .destructive = true},
                unlink),
      operation(
          {.name = "pivot",
           .summary = "Change direction to a node: halve what earlier recommendations and failures "
                      "weigh",
           .example = "  hebb pivot release-2\n  hebb pivot release-2 --weight 3",
           .route = "POST /pivots",
           .problems = {ProblemType::refused}},
          pivot),
  };
}

}  // namespace hebb::api
