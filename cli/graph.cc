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
    const api::Field* field = api::find_field(fields, name);
    std::string shown = value.is_string() ? value.get<std::string>() : value.dump();
    if (field && field->kind == api::Kind::time) shown = time(result["node"], name);
    if (name == "vector") shown = counted(std::ssize(value), "number") + " (--json prints them)";
    rows.push_back({name, std::move(shown)});
  }
  context.fields(rows);
}

void print_link(const Context& context, const Json& request, const Json& result) {
  const Json& edge = result["edge"];
  context.report(fmt::format("{} {}  weight {}", flag(result, "created") ? "linked" : "reinforced",
                             edge_text(edge), weight_text(edge)));
  note_blocking_cycle(context, texts(result, "blocking_cycle"));
  if (has(result, "did_you_mean")) {
    context.note(fmt::format("made an edge of the new type {}; did you mean {}, which there is?",
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
  print_rows(
      context, edges,
      {{"source", false, true}, {"type"}, {"target", false, true}, {"weight", true}, {"updated"}},
      [](const Json& edge) -> Cells {
        return {text(edge, "source"), text(edge, "type"), text(edge, "target"), weight_text(edge),
                time(edge, "touched_at")};
      });
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

// Prints each node below its parent, from which it was reached.
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
  struct Table {
    const char *list, *value, *heading, *part;
  };
  constexpr Table kTables[] = {{"node_types", "type", "nodes of type", "open"},
                               {"edge_types", "type", "edges of type", "dormant"},
                               {"states", "value", "nodes in state", "open"},
                               {"labels", "value", "nodes with label", "open"},
                               {"projects", "value", "nodes of project", "open"}};
  for (const Table& table : kTables) {
    const bool named = table.list == std::string_view("labels");
    std::vector<Cells> rows;
    for (const Json& row : list(whole_graph, table.list)) {
      Cells& cells = rows.emplace_back(Cells{text(row, table.value)});
      if (named) cells.push_back(shortened(text(row, "name")));
      for (const char* count : {"count", table.part})
        cells.push_back(std::to_string(whole(row, count)));
    }
    if (rows.empty()) continue;
    std::vector<Column> columns{{table.heading}, {"count", true}, {table.part, true}};
    if (named) columns.insert(columns.begin() + 1, {"name", false, true});
    context.table(columns, rows);
    context.line("");
  }
  if (has(whole_graph, "components"))
    context.line(counted(whole(whole_graph, "components"), "component"));
  for (const Json& cycle : list(whole_graph, "blocking_cycles")) {
    const auto tasks = texts(cycle, "tasks");
    context.line(fmt::format("blocked for ever: {} -> {}  (`hebb unlink A B BLOCKS` frees them)",
                             fmt::join(tasks, " -> "), tasks.front()));
  }
}

void print_found(const Context& context, const Json&, const Json& result) {
  print_rows(
      context, list(result, "nodes"), {{"id"}, {"type"}, {"state"}, {"name", false, true}},
      [](const Json& node) -> Cells {
        return {text(node, "id"), text(node, "type"), text(node, "state"),
                shortened(text(node, text(node, "name").empty() ? "description" : "name"))};
      },
      "nothing found");
}

void print_promoted(const Context& context, const Json&, const Json& result) {
  print_rows(
      context, list(result, "nodes"),
      {{"accesses", true}, {"last"}, {"id"}, {"type"}, {"name", false, true}},
      [](const Json& node) -> Cells {
        return {std::to_string(whole(node, "recall_count")), time(node, "last_recalled_at"),
                text(node, "id"), text(node, "type"), shortened(text(node, "name"))};
      },
      "no node was looked up that often");
}

}  // namespace

Views graph_views() {
  return {
      {.operation = "node_set",
       .print =
           [](const Context& c, const Json& request, const Json& r) {
             c.report(fmt::format("{} {}", flag(r, "created") ? "created" : "updated",
                                  text(request, "id")));
           }},
      {.operation = "node_get", .print = print_node},
      {.operation = "node_delete",
       .print =
           [](const Context& c, const Json&, const Json& r) {
             c.report(
                 fmt::format("deleted {0}; its {1} no longer active (`hebb node set {0}` "
                             "brings it back)",
                             text(r, "id"), counted(whole(r, "edges"), "edge is", "edges are")));
           }},
      {.operation = "link", .print = print_link},
      {.operation = "unlink",
       .print =
           [](const Context& c, const Json&, const Json& r) {
             c.report(fmt::format("unlinked {}  (its weight was {})", edge_text(r["edge"]),
                                  weight_text(r["edge"])));
           }},
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
      {.operation = "search", .print = print_found},
      {.operation = "promoted", .print = print_promoted},
  };
}

}  // namespace hebb::cli
