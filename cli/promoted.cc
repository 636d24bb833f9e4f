// hebb promoted: the nodes asked for most.
#include <fmt/format.h>

#include "api/recall.h"
#include "cli/commands.h"
#include "cli/operation_command.h"
#include "cli/shortened.h"

namespace hebb::cli {

using api::PromotedRequest, api::PromotedResult;

namespace {

void print_promoted(const Context& context, const PromotedResult& result) {
  if (result.nodes.empty()) return context.note("no node was asked for that often");
  std::vector<std::vector<std::string>> rows;
  for (const auto& n : result.nodes) {
    rows.push_back({std::to_string(n.recall_count),
                    format_time(n.last_recalled_at ? n.last_recalled_at->ms : graph::kNever), n.id,
                    n.type, shortened(n.name)});
  }
  context.table({{"recalls", true}, {"last"}, {"id"}, {"type"}, {"name", false, true}}, rows);
}

}  // namespace

void add_promoted(CLI::App& app, Context& context) {
  add_operation<PromotedRequest, PromotedResult>(
      app, context,
      {"promoted", api::promoted,
       [](const Context& c, const PromotedRequest&, const PromotedResult& result) {
         print_promoted(c, result);
       }});
}

}  // namespace hebb::cli
