// hebb node set | get | delete, link, unlink, pivot, neighbors, path
#include <fmt/format.h>

#include "api/counted.h"
#include "cli/commands.h"
#include "cli/cycle.h"
#include "cli/operation_command.h"

namespace hebb::cli {

namespace {

constexpr std::string_view kEdgeColumns = "source~ type target~ weight> touched_at:updated";

const api::Fields& edge_fields() {
  return api::find_field(api::operation_named("neighbors").result(), "edges")->record();
}

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
  if (!edges.empty()) print_table(context, edge_fields(), edges, kEdgeColumns);
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

}  // namespace

Views graph_views() {
  return {
      {.operation = "node_set",
       .print =
           [](const Context& c, const Json& request, const Json& result) {
             c.report(fmt::format("{} {}", flag(result, "created") ? "created" : "updated",
                                  text(request, "id")));
           }},
      {.operation = "node_get", .print = print_node},
      {.operation = "node_delete",
       .print =
           [](const Context& c, const Json& request, const Json& result) {
             const std::string id = text(request, "id");
             c.report(fmt::format(
                 "deleted {}; its {} no longer active (`hebb node set {}` brings it back)", id,
                 counted(whole(result, "edges"), "edge is", "edges are"), id));
           }},
      {.operation = "link", .print = print_link},
      {.operation = "unlink", .report = "unlinked {edge}  (its weight was {edge.weight})"},
      {.operation = "pivot", .print = print_pivot},
      {.operation = "neighbors", .print = print_neighbors},
      {.operation = "path", .print = print_path},
  };
}

}  // namespace hebb::cli
