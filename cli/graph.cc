// hebb node set | get | delete, link, unlink, pivot, neighbors, path, topology, search, promoted
#include <map>

#include <fmt/format.h>

#include "api/values.h"
#include "cli/commands.h"
#include "cli/operation_command.h"

namespace hebb::cli {

namespace {

void print_node(const Context& context, const Json&, const Json& result) {
  const api::Fields& fields =
      api::find_field(api::operation_named("node_get").result(), "node")->record();
  std::vector<std::pair<std::string, std::string>> rows;
  for (const auto& [name, value] : result["node"].items()) {
    if ((value.is_structured() && value.empty()) || value == "" || value == false) continue;
    rows.push_back({name, name == "vector"
                              ? counted(std::ssize(value), "number") + " (--json prints them)"
                          : value.is_number() ? value.dump()
                                              : text_of(fields, result["node"], name)});
  }
  context.fields(rows);
}

void print_link(const Context& context, const Json& request, const Json& result) {
  const Json& edge = result["edge"];
  context.report(fmt::format("{} {}  weight {}", flag(result, "created") ? "linked" : "reinforced",
                             edge_text(edge), weight_text(edge)));
  note_blocking_cycle(context, texts(result, "blocking_cycle"));
  if (has(result, "did_you_mean")) {
    context.note(
        fmt::format("{} is a type of its own, with the policy of any other; did you mean {}?",
                    text(request, "type"), text(result, "did_you_mean")));
  }
}

void print_pivot(const Context& context, const Json& request, const Json& result) {
  if (flag(result, "created"))
    context.note(fmt::format("\"{}\" is new: a CONTEXT_NODE", text(request, "id")));
  const Json& edge = result["edge"];
  context.report(
      fmt::format("direction changed: {}  weight {}", edge_text(edge), weight_text(edge)));
}

void print_neighbors(const Context& context, const Json&, const Json& result) {
  const Json& edges = list(result, "edges");
  if (!edges.empty())
    print_table(context, "neighbors", result, "edges",
                "source~ type target~ weight> touched_at:updated");
  if (has(result, "next"))
    context.note(
        fmt::format("there are more; --offset {} goes on with them", whole(result, "next")));
  if (const auto dormant = whole(result, "dormant_omitted"); dormant > 0) {
    context.note(fmt::format("{} more are dormant; --dormant lists them too", dormant));
  } else if (edges.empty()) {
    context.note("no edges");
  }
}

void print_path(const Context& context, const Json&, const Json& result) {
  std::vector<std::vector<std::string>> rows;
  for (const Json& edge : list(result, "edges")) {
    const double weight = number(edge, "weight");
    rows.push_back({text(edge, "source"), text(edge, "type"), text(edge, "target"),
                    fmt::format("{:.4g}", weight), fmt::format("{:.4g}", 1 / weight)});
  }
  if (!rows.empty()) {
    context.table({{"source", false, true},
                   {"type"},
                   {"target", false, true},
                   {"weight", true},
                   {"cost", true}},
                  rows);
  }
  context.line(
      fmt::format("{}, cost {:.4g}", counted(std::ssize(rows), "edge"), number(result, "cost")));
}

// --- topology ------------------------------------------------------------------------------------

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
  const auto table = [&](const char* name, const char* columns) {
    if (list(whole_graph, name).empty()) return;
    print_table(context, "topology", whole_graph, name, columns);
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

Views graph_views() {
  return {
      {.operation = "node_set", .report = "{created?created/updated} {id}"},
      {.operation = "node_get", .print = print_node},
      {.operation = "node_delete",
       .report =
           "deleted {id}; its {edges#edge is/edges are} no longer active (`hebb node set {id}` "
           "brings it back)"},
      {.operation = "link", .print = print_link},
      {.operation = "unlink", .report = "unlinked {edge}  (its weight was {edge.weight})"},
      {.operation = "pivot", .print = print_pivot},
      {.operation = "neighbors", .print = print_neighbors},
      {.operation = "path", .print = print_path},
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
      {.operation = "search",
       .rows = "nodes",
       .columns = "id type state name|description:name~",
       .nothing = "nothing found"},
      {.operation = "promoted",
       .rows = "nodes",
       .columns = "recall_count:accesses> last_recalled_at:last id type name~",
       .nothing = "no node was looked up that often"},
  };
}

}  // namespace hebb::cli
