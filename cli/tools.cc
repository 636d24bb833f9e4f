// hebb tools suggest
#include "api/tools.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "api/counted.h"
#include "cli/commands.h"
#include "cli/operation_command.h"

namespace hebb::cli {

namespace {

using api::ToolsSuggestRequest, api::ToolsSuggestResult;

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kRelations{
    {{"FOLLOWS", "usually next after"},
     {"CO_OCCURS", "at the same time as"},
     {"CONTAINS", "called inside"}}};

void print_tools(const Context& context, const ToolsSuggestRequest& request,
                 const ToolsSuggestResult& result) {
  const std::vector<Column> columns = {{"rank", true},  {"tool", false, true}, {"count", true},
                                       {"share", true}, {"weight", true},      {"last seen"}};
  bool any = false;
  for (const auto& [relation, heading] : kRelations) {
    std::vector<std::vector<std::string>> rows;
    for (const auto& s : result.suggestions) {
      if (s.relation != relation) continue;
      rows.push_back({std::to_string(s.rank), s.tool, fmt::format("{:.1f}", s.count),
                      fmt::format("{:.0f} %", 100 * s.share), fmt::format("{:.3f}", s.weight),
                      format_time(s.touched_at.ms)});
    }
    if (rows.empty()) continue;
    if (std::exchange(any, true)) context.line("");
    context.line(fmt::format("{} {}:", heading, request.tool));
    context.table(columns, rows);
  }
  if (!any) context.line(fmt::format("nothing is known to go with {}", request.tool));
  if (result.faded > 0) {
    const std::string when = format_time(result.faded_last_seen->ms);
    context.note(fmt::format(
        "{} of {} {} faded since, the latest last seen {}; `hebb --now '{}' tools suggest {}` "
        "shows what was known then",
        counted(result.faded, "link"), request.tool, result.faded == 1 ? "has" : "have", when,
        api::time_text(result.faded_last_seen->ms), request.tool));
  }
}

}  // namespace

void add_tools(CLI::App& app, Context& context) {
  auto* tools = add_command(app, context, "tools", "What was learned about tools from traces",
                            "  hebb tools suggest fs:read\n", nullptr);
  tools->require_subcommand(1);
  add_operation<ToolsSuggestRequest, ToolsSuggestResult>(
      *tools, context, {"tools_suggest", api::tools_suggest, print_tools});
}

}  // namespace hebb::cli
