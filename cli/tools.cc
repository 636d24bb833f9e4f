// hebb tools suggest
#include "capture/trace/tools.h"

#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"

namespace hebb::cli {

namespace {

using capture::Relation;
using capture::ToolKnown;
using capture::ToolSuggestion;

struct Options {
  std::string tool;
  std::size_t top = 5;
};

std::string_view heading(Relation relation) {
  switch (relation) {
    case Relation::follows:
      return "usually next after";
    case Relation::co_occurs:
      return "at the same time as";
    case Relation::contains:
      break;
  }
  return "called inside";
}

void print_text(const Context& context, const Options& options,
                const std::vector<ToolSuggestion>& suggestions) {
  const std::vector<Column> columns = {{"rank", true},  {"tool", false, true}, {"count", true},
                                       {"share", true}, {"weight", true},      {"last seen"}};
  bool any = false;
  for (const auto relation : {Relation::follows, Relation::co_occurs, Relation::contains}) {
    std::vector<std::vector<std::string>> rows;
    for (const auto& s : suggestions) {
      if (s.relation != relation) continue;
      rows.push_back({std::to_string(s.rank), s.tool, fmt::format("{:.1f}", s.count),
                      fmt::format("{:.0f} %", 100 * s.share), fmt::format("{:.3f}", s.weight),
                      format_time(s.touched_at)});
    }
    if (rows.empty()) continue;
    if (any) context.line("");
    any = true;
    context.line(fmt::format("{} {}:", heading(relation), options.tool));
    context.table(columns, rows);
  }
  if (!any) context.line(fmt::format("nothing is known to go with {}", options.tool));
}

void print_suggestions_json(const Context& context,
                            const std::vector<ToolSuggestion>& suggestions) {
  Json rows = Json::array();
  for (const auto& s : suggestions) {
    rows.push_back({{"relation", capture::edge_type(s.relation)},
                    {"rank", s.rank},
                    {"tool", s.tool},
                    {"count", s.count},
                    {"share", s.share},
                    {"weight", s.weight},
                    {"touched_at", s.touched_at}});
  }
  context.print_json(rows);
}

void suggest(const Context& context, const Options& options) {
  Engine engine = context.open(Context::Access::read);
  const State& state = engine.state();
  switch (capture::tool_known(state, options.tool)) {
    case ToolKnown::no_such_node:
      throw Stop(kFailed, fmt::format("no tool \"{}\" is known; traces make tools known: "
                                      "`hebb trace -- COMMAND`",
                                      options.tool));
    case ToolKnown::not_a_tool:
      throw Stop(kFailed, fmt::format("\"{}\" is a node, but no TOOL", options.tool));
    case ToolKnown::yes:
      break;
  }
  const auto suggestions = capture::suggest_tools(engine, options.tool, context.now(), options.top);
  context.json ? print_suggestions_json(context, suggestions)
               : print_text(context, options, suggestions);
}

}  // namespace

void add_tools(CLI::App& app, Context& context) {
  auto* tools = add_command(app, context, "tools", "What was learned about tools from traces",
                            "  hebb tools suggest fs:read\n", nullptr);
  tools->require_subcommand(1);
  const auto options = std::make_shared<Options>();
  auto* command =
      add_command(*tools, context, "suggest", "Which tools usually come next, and which go along",
                  "  hebb tools suggest fs:read\n  hebb tools suggest fs:read --top 1 --json",
                  [&context, options] { suggest(context, *options); });
  command->add_option("TOOL", options->tool, "A tool's id, as in the traces")->required();
  command->add_option("--top", options->top, "How many of each kind (5)")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000}));
}

}  // namespace hebb::cli
