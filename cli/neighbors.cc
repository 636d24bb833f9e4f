// hebb neighbors, frontier
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/graph_edges.h"
#include "reward/ranking.h"

namespace hebb::cli {

namespace {

using graph::EdgeId;

struct Options {
  std::string node, type;
  bool in = false, out = false, dormant = false;
};

void strongest_first(std::vector<EdgeNow>& edges) {
  std::stable_sort(edges.begin(), edges.end(), [](const EdgeNow& a, const EdgeNow& b) {
    if (a.weight != b.weight) return a.weight > b.weight;
    return std::tie(a.type, a.source, a.target) < std::tie(b.type, b.source, b.target);
  });
}

void print_edges(const Context& context, const std::vector<EdgeNow>& edges) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& e : edges) {
    rows.push_back({e.source, e.type, e.target, weight_text(e), format_time(e.touched_at)});
  }
  context.table(
      {{"source", false, true}, {"type"}, {"target", false, true}, {"weight", true}, {"touched"}},
      rows);
}

void neighbors(const Context& context, const Options& o) {
  Engine engine = context.open(Context::Access::read);
  const State& s = engine.state();
  const auto n = require_node(s, o.node);
  std::vector<EdgeNow> edges;
  std::size_t asleep = 0;
  const auto take = [&](EdgeId e) {
    if (!is_between_existing(s, e)) return;
    EdgeNow edge = edge_now(s, e, context.now());
    if (!o.type.empty() && edge.type != o.type) return;
    asleep += edge.dormant;
    if (!edge.dormant || o.dormant) edges.push_back(std::move(edge));
  };
  if (!o.in || o.out) std::ranges::for_each(s.graph().out_edges(n), take);
  if (!o.out || o.in) {
    for (const EdgeId e : s.graph().in_edges(n)) {
      const bool listed = s.graph().source(e) == n && (!o.in || o.out);
      if (!listed) take(e);
    }
  }
  strongest_first(edges);
  if (context.json) {
    Json rows = Json::array();
    for (const auto& e : edges) rows.push_back(edge_json(e));
    return context.print_json(rows);
  }
  if (!edges.empty()) print_edges(context, edges);
  if (!o.dormant && asleep > 0) {
    context.note(fmt::format("{} more are dormant; --dormant lists them too", asleep));
  } else if (edges.empty()) {
    context.note("no edges");
  }
}

void frontier(const Context& context) {
  Engine engine = context.open(Context::Access::read);
  const State& s = engine.state();
  std::vector<EdgeNow> edges;
  for (const EdgeId e : s.graph().out_edges(s.frontier())) {
    if (!is_between_existing(s, e)) continue;
    EdgeNow edge = edge_now(s, e, context.now());
    if (edge.weight > 0) edges.push_back(std::move(edge));
  }
  strongest_first(edges);
  const auto completed = reward::completed_last(s.view());
  const auto& completed_at = s.graph().nodes().completed_at;
  if (context.json) {
    Json rows = Json::array();
    for (const auto& e : edges) rows.push_back(edge_json(e));
    Json last = Json::array();
    for (const auto n : completed) {
      last.push_back({{"id", s.graph().id(n)}, {"at", completed_at[n]}});
    }
    return context.print_json({{"edges", rows}, {"completedLast", last}});
  }
  if (edges.empty()) {
    context.note(
        "the frontier points at nothing; `hebb recalibrate` makes it point at what is "
        "worth doing");
  } else {
    print_edges(context, edges);
  }
  for (const auto n : completed) {
    context.line(
        fmt::format("completed last: {}, {}", s.graph().id(n), format_time(completed_at[n])));
  }
}

}  // namespace

void add_neighbors(CLI::App& app, Context& context) {
  const auto o = std::make_shared<Options>();
  auto* command = add_command(app, context, "neighbors", "The edges of a node, strongest first",
                              "  hebb neighbors task-7\n"
                              "  hebb neighbors task-7 --in --type BLOCKS\n"
                              "  hebb neighbors frontier --out --dormant --json",
                              [&context, o] { neighbors(context, *o); });
  command->add_option("NODE", o->node, "The node")->required();
  command->add_flag("--in", o->in, "Only edges that lead to it");
  command->add_flag("--out", o->out, "Only edges that go out from it");
  command->add_option("--type", o->type, "Only edges of this type");
  command->add_flag("--dormant", o->dormant, "Dormant edges too");
}

void add_frontier(CLI::App& app, Context& context) {
  add_command(app, context, "frontier",
              "What the frontier points at or holds back, and what was completed last",
              "  hebb frontier\n  hebb frontier --json", [&context] { frontier(context); });
}

}  // namespace hebb::cli
