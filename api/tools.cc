// tools: what was learned about tools from traces.
#include "capture/trace/tools.h"

#include <string>

#include "api/operation.h"

namespace hebb::fields {

template <>
struct Codec<capture::Relation> : Plain<capture::Relation, Kind::text> {
  static Json get(capture::Relation relation) { return capture::edge_type(relation); }
  static void set(capture::Relation&, const Json&) {}  // only in results
};

}  // namespace hebb::fields

namespace hebb::capture {

RECORD(ToolSuggestion,
       FIELD(relation, "FOLLOWS, CO_OCCURS or CONTAINS: the type of the edge",
             {.choices = {"FOLLOWS", "CO_OCCURS", "CONTAINS"}}),
       FIELD(rank, "From 1, in its relation"), FIELD(tool, "The tool"),
       FIELD(count, "How often it was seen; fades with time"),
       FIELD(share, "Its share of all counts in this relation"),
       FIELD(weight, "The weight of the edge now"),
       FIELD_AS(Time, touched_at, "When it was last seen"))

RECORD(FadedLinks,
       field("faded", self.count,
             "How many links are left out because they have faded since they were last seen"),
       field_as<Time>("faded_last_seen", self.last_seen, "When the latest of these was seen",
                      {.may_be_absent = true}))

RECORD(ToolSuggestions,
       field("suggestions", self.found,
             "By relation; the highest count first, then by weight, then by id"),
       part(self.faded))

}  // namespace hebb::capture

namespace hebb::api {

struct ToolsSuggestRequest {
  std::string tool;
  int limit = 5;
};
RECORD(ToolsSuggestRequest,
       FIELD(tool, "A tool's id, as in the traces", {.required = true, .positional = true}),
       FIELD(limit, "How many of each kind", {.min = 1, .max = 1000}))

namespace {

void require_tool(const State& state, const std::string& tool) {
  switch (capture::tool_known(state, tool)) {
    case capture::ToolKnown::no_such_node:
      throw problem(ProblemType::not_found, "tool",
                    "no tool \"{}\" is known; traces make tools known: `hebb trace -- COMMAND`",
                    tool);
    case capture::ToolKnown::not_a_tool:
      throw problem(ProblemType::not_found, "tool", "\"{}\" is a node, but no TOOL", tool);
    case capture::ToolKnown::yes:
      break;
  }
}

}  // namespace

static capture::ToolSuggestions tools_suggest(Session& session,
                                              const ToolsSuggestRequest& request) {
  Engine& engine = session.engine(Access::read);
  require_tool(engine.state(), request.tool);
  const auto limit = static_cast<std::size_t>(request.limit);
  auto all = capture::suggest_tools(engine, request.tool, session.now(), limit);
  if (all.faded.count == 0) all.faded.last_seen = graph::kNever;
  return all;
}

Operations tools_operations() {
  return {
      operation(
          {.name = "tools_suggest",
           .summary = "Which tools usually come next, and which go along",
           .example = "  hebb tools suggest fs:read\n  hebb tools suggest fs:read --limit 1 --json",
           .route = "GET /tools/{tool}/suggestions",
           .tool = Tool::all,
           .problems = {ProblemType::not_found}},
          tools_suggest),
  };
}

}  // namespace hebb::api
