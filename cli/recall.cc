// hebb search, promoted
#include "cli/commands.h"
#include "cli/operation_command.h"
#include "cli/shortened.h"

namespace hebb::cli {

namespace {

void print_found(const Context& context, const Json&, const Json& result) {
  if (list(result, "nodes").empty()) return context.note("nothing found");
  std::vector<std::vector<std::string>> rows;
  for (const Json& n : list(result, "nodes")) {
    const std::string name = text(n, "name");
    rows.push_back({text(n, "id"), text(n, "type"), text(n, "state"),
                    shortened(name.empty() ? text(n, "description") : name)});
  }
  context.table({{"id"}, {"type"}, {"state"}, {"name", false, true}}, rows);
}

}  // namespace

Views recall_views() {
  return {
      {.operation = "search", .print = print_found},
      {.operation = "promoted",
       .rows = "nodes",
       .columns = "recall_count:accesses> last_recalled_at:last id type name~",
       .nothing = "no node was looked up that often"},
  };
}

}  // namespace hebb::cli
