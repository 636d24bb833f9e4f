// hebb topology
#include "api/topology.h"

#include <map>
#include <memory>

#include <fmt/format.h>

#include "api/counted.h"
#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/operation_command.h"

namespace hebb::cli {

namespace {

using api::NeighborhoodRequest, api::NeighborhoodResult, api::ReachedNode;
using api::TopologyRequest, api::TopologyResult;

std::string label(const ReachedNode& node) {
  if (node.type.empty() && node.state.empty()) return node.id;
  const bool both = !node.type.empty() && !node.state.empty();
  return fmt::format("{}  ({}{}{})", node.id, node.type, both ? " " : "", node.state);
}

// Prints each node below the one it was reached from.
class Tree {
 public:
  Tree(const Context& context, const NeighborhoodResult& around)
      : context_(context), edges_(around.edges) {
    for (const ReachedNode& node : around.nodes) {
      if (!node.reached_by) continue;
      const auto& edge = edge_to(node);
      children_[edge.source == node.id ? edge.target : edge.source].push_back(&node);
    }
    context.line(label(around.nodes.front()));
    print(around.nodes.front().id, "");
  }

 private:
  const api::EdgeNow& edge_to(const ReachedNode& node) const {
    return edges_[static_cast<std::size_t>(*node.reached_by)];
  }

  void print(const std::string& id, const std::string& indent) const {
    const auto it = children_.find(id);
    if (it == children_.end()) return;
    for (const ReachedNode* node : it->second) {
      const bool last = node == it->second.back();
      const auto& edge = edge_to(*node);
      const bool outwards = edge.target == node->id;
      context_.line(fmt::format("{}{} {}{} {:.4g}{} {}", indent, last ? "└─" : "├─",
                                outwards ? "" : "<- ", edge.type, edge.weight,
                                outwards ? " ->" : "", label(*node)));
      print(node->id, indent + (last ? "   " : "│  "));
    }
  }

  const Context& context_;
  const std::vector<api::EdgeNow>& edges_;
  std::map<std::string, std::vector<const ReachedNode*>> children_;  // by id
};

std::string dot_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

void print_dot(const Context& context, const NeighborhoodResult& around) {
  context.data("digraph hebb {\n");
  for (const auto& node : around.nodes) {
    context.data(fmt::format("  {} [shape={}];\n", dot_text(node.id),
                             node.state == kOpen ? "box" : "ellipse"));
  }
  for (const auto& e : around.edges) {
    context.data(fmt::format("  {} -> {} [label={}, penwidth={:.2f}];\n", dot_text(e.source),
                             dot_text(e.target),
                             dot_text(fmt::format("{} {:.3g}", e.type, e.weight)), 0.5 + e.weight));
  }
  context.data("}\n");
}

void print_whole(const Context& context, const TopologyResult& whole) {
  std::vector<std::vector<std::string>> nodes, edges;
  for (const auto& n : whole.node_types) {
    nodes.push_back({n.type, std::to_string(n.count), std::to_string(n.open)});
  }
  for (const auto& e : whole.edge_types) {
    edges.push_back({e.type, std::to_string(e.count), std::to_string(e.dormant)});
  }
  context.table({{"nodes of type"}, {"count", true}, {"open", true}}, nodes);
  context.line("");
  context.table({{"edges of type"}, {"count", true}, {"dormant", true}}, edges);
  context.line("");
  context.line(counted(whole.components, "component"));
  for (const auto& cycle : whole.blocking_cycles) {
    context.line(fmt::format("blocked for ever: {} -> {}  (`hebb unlink A B BLOCKS` frees them)",
                             fmt::join(cycle.tasks, " -> "), cycle.tasks.front()));
  }
}

struct TopologyOptions {
  NeighborhoodRequest around;  // without a node: the whole graph graph
  std::string format = "tree";
};

void topology(const Context& context, TopologyOptions& o) {
  if (o.around.id.empty()) {
    TopologyRequest request;
    return run_operation<TopologyRequest, TopologyResult>(
        context,
        {"topology", api::topology,
         [](const Context& c, const TopologyRequest&, const TopologyResult& result) {
           print_whole(c, result);
         }},
        request);
  }
  run_operation<NeighborhoodRequest, NeighborhoodResult>(
      context,
      {"neighborhood", api::neighborhood,
       [&o](const Context& c, const NeighborhoodRequest&, const NeighborhoodResult& result) {
         if (o.format == "dot") return print_dot(c, result);
         Tree(c, result);
       }},
      o.around);
}

}  // namespace

// Two operations in one command: with a node its neighbourhood, without one the whole graph.
void add_topology(CLI::App& app, Context& context) {
  const auto o = std::make_shared<TopologyOptions>();
  auto* command = add_command(
      app, context, "topology",
      "The neighbourhood of a node as a tree; without NODE: what there is, and what blocks itself",
      fmt::format("{}\n{}", api::operation_named("topology").about.example,
                  api::operation_named("neighborhood").about.example),
      [&context, o] { topology(context, *o); });
  add_fields(*command, NeighborhoodRequest::fields(), &o->around);
  command->get_option("NODE")->required(false);
  command->add_option("--format", o->format, "tree, or dot for Graphviz")
      ->check(one_of({"tree", "dot"}))
      ->capture_default_str();
}

}  // namespace hebb::cli
