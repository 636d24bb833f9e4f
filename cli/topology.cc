// hebb topology
#include <cmath>
#include <limits>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/graph_edges.h"
#include "graph/algorithms.h"

namespace hebb::cli {

namespace {

using graph::EdgeId;
using graph::NodeId;

constexpr double kUnusable = std::numeric_limits<double>::infinity();
constexpr std::size_t kCyclesShown = 20;

struct Options {
  std::string node, format = "tree";
  int depth = 2;
};

// --- around one node -----------------------------------------------------------------------------

struct Around {
  std::vector<graph::Reached> nodes;
  std::vector<EdgeNow> edges;  // every usable one among them
};

Around around(const State& s, NodeId start, int depth, TimeMs now) {
  const auto cost = costs(s, now);
  Around a;
  a.nodes = graph::neighbourhood(s.graph(), start, depth, cost);
  std::vector<bool> reached(s.graph().node_bound(), false);
  for (const auto& r : a.nodes) reached[r.node] = true;
  for (const auto& r : a.nodes) {
    for (const EdgeId e : s.graph().out_edges(r.node)) {
      if (std::isfinite(cost[e]) && reached[s.graph().target(e)]) {
        a.edges.push_back(edge_now(s, e, now));
      }
    }
  }
  return a;
}

std::string label(const State& s, NodeId n) {
  const auto& c = s.graph().nodes();
  std::string text(s.graph().id(n));
  const auto& type = s.graph().node_types().name(c.type[n]);
  const auto& state = s.graph().states().name(c.state[n]);
  if (!type.empty() || !state.empty()) {
    text += fmt::format("  ({}{}{})", type, type.empty() || state.empty() ? "" : " ", state);
  }
  return text;
}

// Each node stands beneath the one it was reached from.
class Tree {
 public:
  Tree(const Context& context, const State& s, const Around& a) : context_(context), s_(s) {
    for (std::size_t i = 1; i < a.nodes.size(); ++i) {
      const auto& r = a.nodes[i];
      const NodeId source = s.graph().source(r.by), target = s.graph().target(r.by);
      children_[source == r.node ? target : source].push_back(r);
    }
    context.line(label(s, a.nodes.front().node));
    print(a.nodes.front().node, "");
  }

 private:
  void print(NodeId n, const std::string& indent) const {
    const auto it = children_.find(n);
    if (it == children_.end()) return;
    for (std::size_t i = 0; i < it->second.size(); ++i) {
      const auto& r = it->second[i];
      const bool last = i + 1 == it->second.size();
      const EdgeNow edge = edge_now(s_, r.by, context_.now());
      const bool outwards = s_.graph().target(r.by) == r.node;
      context_.line(fmt::format("{}{} {}{} {:.4g}{} {}", indent, last ? "└─" : "├─",
                                outwards ? "" : "<- ", edge.type, edge.weight,
                                outwards ? " ->" : "", label(s_, r.node)));
      print(r.node, indent + (last ? "   " : "│  "));
    }
  }

  const Context& context_;
  const State& s_;
  std::map<NodeId, std::vector<graph::Reached>> children_;
};

std::string dot_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

void print_dot(const Context& context, const State& s, const Around& a) {
  context.data("digraph hebb {\n");
  for (const auto& r : a.nodes) {
    const auto id = s.graph().id(r.node);
    const auto& state = s.graph().states().name(s.graph().nodes().state[r.node]);
    context.data(
        fmt::format("  {} [shape={}];\n", dot_text(id), state == kOpen ? "box" : "ellipse"));
  }
  for (const auto& e : a.edges) {
    context.data(fmt::format("  {} -> {} [label={}, penwidth={:.2f}];\n", dot_text(e.source),
                             dot_text(e.target),
                             dot_text(fmt::format("{} {:.3g}", e.type, e.weight)), 0.5 + e.weight));
  }
  context.data("}\n");
}

void print_around(const Context& context, const State& s, const Options& o) {
  const Around a = around(s, require_node(s, o.node), o.depth, context.now());
  if (context.json) {
    Json nodes = Json::array(), edges = Json::array();
    const auto& c = s.graph().nodes();
    for (const auto& r : a.nodes) {
      nodes.push_back({{"id", s.graph().id(r.node)},
                       {"type", s.graph().node_types().name(c.type[r.node])},
                       {"state", s.graph().states().name(c.state[r.node])},
                       {"depth", r.depth}});
    }
    for (const auto& e : a.edges) edges.push_back(edge_json(e));
    return context.print_json({{"nodes", nodes}, {"edges", edges}});
  }
  if (o.format == "dot") return print_dot(context, s, a);
  Tree(context, s, a);
}

// --- the whole graph -----------------------------------------------------------------------------

struct Whole {
  struct NodeCount {
    std::int64_t count = 0, open = 0;
  };
  struct EdgeCount {
    std::int64_t count = 0, dormant = 0;
  };
  std::map<std::string, NodeCount> nodes;
  std::map<std::string, EdgeCount> edges;
  std::size_t components = 0;
  std::vector<std::vector<std::string>> cycles;  // of tasks that block each other
};

// Tasks in such a cycle can never be ranked. Each edge is in at most one of the cycles reported.
std::vector<std::vector<std::string>> blocking_cycles(const State& s, std::vector<double> cost) {
  const auto& g = s.graph();
  const auto blocks = g.edge_types().find("BLOCKS");
  const auto is_open = [&](NodeId n) { return g.states().name(g.nodes().state[n]) == kOpen; };
  for (EdgeId e = 0; e < g.edge_bound(); ++e) {
    if (!g.is_live_edge(e)) continue;
    if (g.type(e) != blocks || !is_open(g.source(e)) || !is_open(g.target(e))) cost[e] = kUnusable;
  }
  std::vector<std::vector<std::string>> cycles;
  while (const auto cycle = graph::find_cycle(g, cost)) {
    if (cycles.size() == kCyclesShown) break;
    std::vector<std::string> ids;
    for (const EdgeId e : *cycle) {
      ids.emplace_back(g.id(g.source(e)));
      cost[e] = kUnusable;
    }
    cycles.push_back(std::move(ids));
  }
  return cycles;
}

Whole whole(const State& s, TimeMs now) {
  const auto& g = s.graph();
  const auto& c = g.nodes();
  Whole w;
  const auto exists = [&](NodeId n) {
    return g.is_live_node(n) && c.created_at[n] != graph::kNever &&
           c.deleted_at[n] == graph::kNever;
  };
  for (NodeId n = 0; n < g.node_bound(); ++n) {
    if (!exists(n)) continue;
    auto& count = w.nodes[g.node_types().name(c.type[n])];
    ++count.count;
    count.open += g.states().name(c.state[n]) == kOpen;
  }
  for (EdgeId e = 0; e < g.edge_bound(); ++e) {
    if (!g.is_live_edge(e) || !is_between_existing(s, e)) continue;
    const EdgeNow edge = edge_now(s, e, now);
    auto& count = w.edges[edge.type];
    ++count.count;
    count.dormant += edge.dormant;
  }
  auto cost = costs(s, now);
  const auto components = graph::components(g, cost);
  std::vector<bool> counted(components.count, false);
  for (NodeId n = 0; n < g.node_bound(); ++n) {
    if (!exists(n) || counted[components.of[n]]) continue;
    counted[components.of[n]] = true;
    ++w.components;
  }
  w.cycles = blocking_cycles(s, std::move(cost));
  return w;
}

void print_whole(const Context& context, const State& s) {
  const Whole w = whole(s, context.now());
  if (context.json) {
    Json nodes = Json::array(), edges = Json::array();
    for (const auto& [type, n] : w.nodes) {
      nodes.push_back({{"type", type}, {"count", n.count}, {"open", n.open}});
    }
    for (const auto& [type, n] : w.edges) {
      edges.push_back({{"type", type}, {"count", n.count}, {"dormant", n.dormant}});
    }
    return context.print_json({{"nodes", nodes},
                               {"edges", edges},
                               {"components", w.components},
                               {"blockingCycles", w.cycles}});
  }
  std::vector<std::vector<std::string>> nodes, edges;
  for (const auto& [type, n] : w.nodes) {
    nodes.push_back({type, std::to_string(n.count), std::to_string(n.open)});
  }
  for (const auto& [type, n] : w.edges) {
    edges.push_back({type, std::to_string(n.count), std::to_string(n.dormant)});
  }
  context.table({{"nodes of type"}, {"count", true}, {"open", true}}, nodes);
  context.line("");
  context.table({{"edges of type"}, {"count", true}, {"dormant", true}}, edges);
  context.line("");
  context.line(fmt::format("{} components", w.components));
  for (const auto& cycle : w.cycles) {
    context.line(fmt::format("blocked for ever: {} -> {}  (`hebb unlink A B BLOCKS` frees them)",
                             fmt::join(cycle, " -> "), cycle.front()));
  }
}

void topology(const Context& context, const Options& o) {
  Engine engine = context.open(Context::Access::read);
  if (o.node.empty()) return print_whole(context, engine.state());
  print_around(context, engine.state(), o);
}

}  // namespace

void add_topology(CLI::App& app, Context& context) {
  const auto o = std::make_shared<Options>();
  auto* command = add_command(
      app, context, "topology",
      "The neighbourhood of a node as a tree; without NODE: what there is, and what blocks itself",
      "  hebb topology\n"
      "  hebb topology task-7 --depth 3\n"
      "  hebb topology task-7 --format dot | dot -Tsvg > task-7.svg",
      [&context, o] { topology(context, *o); });
  command->add_option("NODE", o->node, "The node in the middle");
  command->add_option("--depth", o->depth, "How many edges far")
      ->check(CLI::Range(0, 64))
      ->capture_default_str();
  command->add_option("--format", o->format, "tree, or dot for Graphviz")
      ->check(CLI::IsMember({"tree", "dot"}))
      ->capture_default_str();
}

}  // namespace hebb::cli
