// hebb neighbors, frontier
#include "api/neighbors.h"

#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/edge_text.h"
#include "cli/operation_command.h"

namespace hebb::cli {

namespace {

void print_edges(const Context& context, const std::vector<api::EdgeNow>& edges) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& e : edges) {
    rows.push_back({e.source, e.type, e.target, weight_text(e), format_time(e.touched_at.ms)});
  }
  context.table(
      {{"source", false, true}, {"type"}, {"target", false, true}, {"weight", true}, {"touched"}},
      rows);
}

void print_neighbors(const Context& context, const api::NeighborsResult& result) {
  if (!result.edges.empty()) print_edges(context, result.edges);
  if (result.next)
    context.note(fmt::format("there are more; --offset {} goes on with them", *result.next));
  if (result.dormant_omitted > 0) {
    context.note(
        fmt::format("{} more are dormant; --dormant lists them too", result.dormant_omitted));
  } else if (result.edges.empty()) {
    context.note("no edges");
  }
}

void print_frontier(const Context& context, const api::FrontierResult& result) {
  if (result.edges.empty()) {
    context.note(
        "the frontier points at nothing; `hebb recalibrate` makes it point at what is "
        "worth doing");
  } else {
    print_edges(context, result.edges);
  }
  for (const auto& task : result.completed_last) {
    context.line(fmt::format("completed last: {}, {}", task.id, format_time(task.at.ms)));
  }
}

}  // namespace

void add_neighbors(CLI::App& app, Context& context) {
  using api::NeighborsRequest, api::NeighborsResult;
  struct Directions {
    bool in = false, out = false;
  };
  const auto only = std::make_shared<Directions>();
  auto* command = add_operation<NeighborsRequest, NeighborsResult>(
      app, context,
      {"neighbors", api::neighbors,
       [](const Context& c, const NeighborsRequest&, const NeighborsResult& result) {
         print_neighbors(c, result);
       },
       [only](const Context&, NeighborsRequest& request) {
         if (only->in != only->out) request.direction = only->in ? "in" : "out";
       }});
  command->add_flag("--in", only->in, "Only edges that lead to it");
  command->add_flag("--out", only->out, "Only edges that go out from it");
}

void add_frontier(CLI::App& app, Context& context) {
  using api::FrontierRequest, api::FrontierResult;
  add_operation<FrontierRequest, FrontierResult>(
      app, context,
      {"frontier", api::frontier,
       [](const Context& c, const FrontierRequest&, const FrontierResult& result) {
         print_frontier(c, result);
       }});
}

}  // namespace hebb::cli
