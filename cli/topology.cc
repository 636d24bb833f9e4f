// hebb topology
#include <map>

#include <fmt/format.h>

#include "api/counted.h"
#include "cli/commands.h"
#include "cli/operation_command.h"

namespace hebb::cli {

namespace {

std::string label(const Json& node) {
  const std::string type = text(node, "type"), state = text(node, "state");
  if (type.empty() && state.empty()) return text(node, "id");
  const bool both = !type.empty() && !state.empty();
  return fmt::format("{}  ({}{}{})", text(node, "id"), type, both ? " " : "", state);
}

// Prints each node below the one it was reached from.
class Tree {
 public:
  Tree(const Context& context, const Json& around)
      : context_(context), edges_(list(around, "edges")) {
    const Json& nodes = list(around, "nodes");
    for (const Json& node : nodes) {
      if (!has(node, "reached_by")) continue;
      const Json& edge = edge_to(node);
      const bool outwards = edge["target"] == node["id"];
      children_[text(edge, outwards ? "source" : "target")].push_back(&node);
    }
    context.line(label(nodes.front()));
    print(text(nodes.front(), "id"), "");
  }

 private:
  const Json& edge_to(const Json& node) const {
    return edges_[static_cast<std::size_t>(whole(node, "reached_by"))];
  }

  void print(const std::string& id, const std::string& indent) const {
    const auto it = children_.find(id);
    if (it == children_.end()) return;
    for (const Json* node : it->second) {
      const bool last = node == it->second.back();
      const Json& edge = edge_to(*node);
      const bool outwards = edge["target"] == (*node)["id"];
      context_.line(fmt::format("{}{} {}{} {:.4g}{} {}", indent, last ? "└─" : "├─",
                                outwards ? "" : "<- ", text(edge, "type"), number(edge, "weight"),
                                outwards ? " ->" : "", label(*node)));
      print(text(*node, "id"), indent + (last ? "   " : "│  "));
    }
  }

  const Context& context_;
  const Json& edges_;
  std::map<std::string, std::vector<const Json*>> children_;  // by id
};

std::string dot_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

void print_dot(const Context& context, const Json& around) {
  context.data("digraph hebb {\n");
  for (const Json& node : list(around, "nodes")) {
    context.data(fmt::format("  {} [shape={}];\n", dot_text(text(node, "id")),
                             text(node, "state") == kOpen ? "box" : "ellipse"));
  }
  for (const Json& e : list(around, "edges")) {
    const double weight = number(e, "weight");
    context.data(fmt::format("  {} -> {} [label={}, penwidth={:.2f}];\n",
                             dot_text(text(e, "source")), dot_text(text(e, "target")),
                             dot_text(fmt::format("{} {:.3g}", text(e, "type"), weight)),
                             0.5 + weight));
  }
  context.data("}\n");
}

void print_around(const Context& context, const Json&, const Json& around) {
  if (context.format == "dot") return print_dot(context, around);
  Tree(context, around);
}

void print_whole(const Context& context, const Json&, const Json& whole_graph) {
  const api::Fields& fields = api::operation_named("topology").result();
  const auto table = [&](const char* name, const char* columns) {
    if (list(whole_graph, name).empty()) return;
    print_table(context, api::find_field(fields, name)->record(), whole_graph[name], columns);
    context.line("");
  };
  table("node_types", "type:nodes_of_type count> open>");
  table("edge_types", "type:edges_of_type count> dormant>");
  table("states", "value:nodes_in_state count> open>");
  table("labels", "value:nodes_with_label name~ count> open>");
  table("projects", "value:nodes_of_project count> open>");
  if (has(whole_graph, "components"))
    context.line(counted(whole(whole_graph, "components"), "component"));
  for (const Json& cycle : list(whole_graph, "blocking_cycles")) {
    const auto tasks = texts(cycle, "tasks");
    context.line(fmt::format("blocked for ever: {} -> {}  (`hebb unlink A B BLOCKS` frees them)",
                             fmt::join(tasks, " -> "), tasks.front()));
  }
}

}  // namespace

Views topology_views() {
  return {
      {.operation = "topology",
       .does = "The neighbourhood of a node as a tree; without NODE: what there is, and what "
               "blocks itself",
       .print = print_whole},
      {.operation = "neighborhood",
       .print = print_around,
       .options =
           [](CLI::App& command, Context& context) {
             add_format(command, context, "tree", {"tree", "dot"}, "tree, or dot for Graphviz");
           }},
  };
}

}  // namespace hebb::cli
