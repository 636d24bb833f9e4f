// hebb path
#include "api/path.h"

#include <fmt/format.h>

#include "api/counted.h"
#include "cli/commands.h"
#include "cli/operation_command.h"

namespace hebb::cli {

namespace {

void print_path(const Context& context, const api::PathResult& result) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& edge : result.edges) {
    rows.push_back({edge.source, edge.type, edge.target, fmt::format("{:.4g}", edge.weight),
                    fmt::format("{:.4g}", 1 / edge.weight)});
  }
  if (!rows.empty()) {
    context.table({{"source", false, true},
                   {"type"},
                   {"target", false, true},
                   {"weight", true},
                   {"cost", true}},
                  rows);
  }
  context.line(fmt::format("{}, cost {:.4g}", counted(std::ssize(rows), "edge"), result.cost));
}

}  // namespace

void add_path(CLI::App& app, Context& context) {
  using api::PathRequest, api::PathResult;
  add_operation<PathRequest, PathResult>(
      app, context,
      {"path", api::path, [](const Context& c, const PathRequest&, const PathResult& result) {
         print_path(c, result);
       }});
}

}  // namespace hebb::cli
