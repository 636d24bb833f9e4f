// hebb list
#include "api/list.h"

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/operation_command.h"
#include "cli/shortened.h"

namespace hebb::cli {

namespace {

// What people said of it, and what holds it back.
std::string said_of(const api::ListedTask& node) {
  std::vector<std::string> said;
  if (node.pinned) said.emplace_back("pinned");
  if (node.priority) said.push_back(fmt::format("P{}", *node.priority));
  if (node.due_at) said.push_back("due " + format_time(node.due_at->ms));
  if (node.snoozed_until) said.push_back("snoozed until " + format_time(node.snoozed_until->ms));
  for (const std::string& why : node.not_ready) {
    if (!why.starts_with("snoozed")) said.push_back(why);
  }
  return fmt::format("{}", fmt::join(said, ", "));
}

void print_list(const Context& context, const api::ListRequest&, const api::ListResult& result) {
  std::vector<std::vector<std::string>> cells;
  for (const auto& node : result.nodes) {
    cells.push_back({node.id, shortened(node.name), node.state,
                     fmt::format("{}", fmt::join(node.labels, ", ")), said_of(node)});
  }
  if (!cells.empty()) {
    context.table({{"id", false, true},
                   {"name", false, true},
                   {"state"},
                   {"labels", false, true},
                   {"said", false, true}},
                  cells);
  }
  context.note(fmt::format("{} of {}", result.nodes.size(), result.total));
}

}  // namespace

void add_list(CLI::App& app, Context& context) {
  add_operation<api::ListRequest, api::ListResult>(app, context, {"list", api::list, print_list});
}

}  // namespace hebb::cli
