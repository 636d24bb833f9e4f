#include "api/tools.h"

#include <fmt/format.h>

#include "capture/trace/tools.h"

namespace hebb::api {

const Fields& ToolsSuggestRequest::fields() {
  using R = ToolsSuggestRequest;
  static const Fields kFields = with_presets<R>({
      field("tool", &R::tool, "A tool's id, as in the traces",
            {.required = true, .positional = true}),
      field("limit", &R::limit, "How many of each kind", {.min = 1, .max = 1000, .was = "top"}),
  });
  return kFields;
}

const Fields& ToolSuggestion::fields() {
  using R = ToolSuggestion;
  static const Fields kFields{
      field("relation", &R::relation, "FOLLOWS, CO_OCCURS or CONTAINS: the type of the edge",
            {.choices = {"FOLLOWS", "CO_OCCURS", "CONTAINS"}}),
      field("rank", &R::rank, "From 1, in its relation"),
      field("tool", &R::tool, "Which"),
      field("count", &R::count, "How often it was seen; fades with time"),
      field("share", &R::share, "Of the counts of all in this relation"),
      field("weight", &R::weight, "Of the edge, now"),
      field("touched_at", &R::touched_at, "When it was last seen"),
  };
  return kFields;
}

const Fields& ToolsSuggestResult::fields() {
  using R = ToolsSuggestResult;
  static const Fields kFields{
      field("suggestions", &R::suggestions,
            "By relation; the highest count first, then by weight, then by id"),
      field("faded", &R::faded,
            "How many links are left out because they have faded since they were last seen"),
      field("faded_last_seen", &R::faded_last_seen, "When the latest of these was last seen"),
  };
  return kFields;
}

namespace {

void require_tool(const State& state, const std::string& tool) {
  switch (capture::tool_known(state, tool)) {
    case capture::ToolKnown::no_such_node:
      throw Problem(ProblemType::not_found,
                    fmt::format("no tool \"{}\" is known; traces make tools known: "
                                "`hebb trace -- COMMAND`",
                                tool),
                    "tool");
    case capture::ToolKnown::not_a_tool:
      throw Problem(ProblemType::not_found, fmt::format("\"{}\" is a node, but no TOOL", tool),
                    "tool");
    case capture::ToolKnown::yes:
      break;
  }
}

}  // namespace

ToolsSuggestResult tools_suggest(Session& session, const ToolsSuggestRequest& request) {
  Engine& engine = session.engine(Access::read);
  require_tool(engine.state(), request.tool);
  ToolsSuggestResult result;
  const auto limit = static_cast<std::size_t>(request.limit);
  const auto all = capture::suggest_tools(engine, request.tool, session.now(), limit);
  result.faded = static_cast<std::int64_t>(all.faded.count);
  if (all.faded.count > 0) result.faded_last_seen = Time{all.faded.last_seen};
  for (const auto& s : all.found) {
    result.suggestions.push_back({std::string(capture::edge_type(s.relation)),
                                  static_cast<std::int64_t>(s.rank), s.tool, s.count, s.share,
                                  s.weight, Time{s.touched_at}});
  }
  return result;
}

Operation tools_suggest_operation() {
  return operation<ToolsSuggestRequest, ToolsSuggestResult>(
      {.name = "tools_suggest",
       .command = "tools suggest",
       .summary = "Which tools usually come next, and which go along",
       .example = "  hebb tools suggest fs:read\n  hebb tools suggest fs:read --limit 1 --json",
       .doors = kCommandLine | kHttp | kMcp,
       .path = "/tools/{tool}/suggestions",
       .problems = {ProblemType::not_found}},
      tools_suggest);
}

}  // namespace hebb::api
