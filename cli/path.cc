// hebb path
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/graph_edges.h"
#include "graph/algorithms.h"

namespace hebb::cli {

namespace {

struct Options {
  std::string from, to;
};

void path(const Context& context, const Options& o) {
  Engine engine = context.open(Context::Access::read);
  const State& s = engine.state();
  const auto from = require_node(s, o.from), to = require_node(s, o.to);
  const auto cost = costs(s, context.now());
  const auto edges = graph::shortest_path(s.graph(), from, to, cost);
  if (!edges) {
    throw Stop(kFailed, fmt::format("there is no path from {} to {} along edges that are not "
                                    "dormant; edges are followed from source to target",
                                    o.from, o.to));
  }
  double total = 0;
  Json rows = Json::array();
  std::vector<std::vector<std::string>> cells;
  for (const auto e : *edges) {
    const EdgeNow edge = edge_now(s, e, context.now());
    total += cost[e];
    rows.push_back(edge_json(edge));
    cells.push_back({edge.source, edge.type, edge.target, fmt::format("{:.4g}", edge.weight),
                     fmt::format("{:.4g}", cost[e])});
  }
  if (context.json) return context.print_json({{"cost", total}, {"edges", rows}});
  if (!cells.empty()) {
    context.table({{"source", false, true},
                   {"type"},
                   {"target", false, true},
                   {"weight", true},
                   {"cost", true}},
                  cells);
  }
  context.line(fmt::format("{} edges, cost {:.4g}", cells.size(), total));
}

}  // namespace

void add_path(CLI::App& app, Context& context) {
  const auto o = std::make_shared<Options>();
  auto* command = add_command(
      app, context, "path", "The strongest way from one node to another; an edge costs 1 / weight",
      "  hebb path task-7 task-9\n  hebb path frontier task-9 --json",
      [&context, o] { path(context, *o); });
  command->add_option("FROM", o->from, "Where it begins")->required();
  command->add_option("TO", o->to, "Where it ends")->required();
}

}  // namespace hebb::cli
