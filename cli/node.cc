// hebb node set, get, delete
#include <fmt/format.h>

#include "api/counted.h"
#include "api/nodes.h"
#include "cli/commands.h"
#include "cli/embedding.h"
#include "cli/operation_command.h"

namespace hebb::cli {

namespace {

void print_node(const Context& context, const api::Node& node) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (const api::Field& field : api::Node::fields()) {
    const Json value = field.get(&node);
    if (value.is_null() || (value.is_structured() && value.empty()) || value == "" ||
        value == false)
      continue;
    std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (field.kind == api::Kind::time) text = format_time(api::time_value(value));
    if (field.name == "vector")
      text = counted(static_cast<std::int64_t>(value.size()), "number") + " (--json prints them)";
    rows.push_back({field.name, std::move(text)});
  }
  context.fields(rows);
}

void add_node_set(CLI::App& node, Context& context) {
  using api::NodeSetRequest, api::NodeSetResult;
  const auto file = std::make_shared<std::string>();
  auto* command = add_operation<NodeSetRequest, NodeSetResult>(
      node, context,
      {"node_set", api::node_set,
       [](const Context& c, const NodeSetRequest& request, const NodeSetResult& result) {
         c.report(fmt::format("{} {}", result.created ? "created" : "updated", request.id));
       },
       [file](const Context&, NodeSetRequest& request) {
         if (!file->empty()) request.vector = read_vector(*file);
       }});
  command->add_option("--vector", *file,
                      "A file with a JSON array of numbers, instead of an embedder's");
}

void add_get(CLI::App& node, Context& context) {
  using api::NodeGetRequest, api::NodeGetResult;
  add_operation<NodeGetRequest, NodeGetResult>(
      node, context,
      {"node_get", api::node_get,
       [](const Context& c, const NodeGetRequest&, const NodeGetResult& result) {
         print_node(c, result.node);
       }});
}

void add_delete(CLI::App& node, Context& context) {
  using api::NodeDeleteRequest, api::NodeDeleteResult;
  add_operation<NodeDeleteRequest, NodeDeleteResult>(
      node, context,
      {"node_delete", api::node_delete,
       [](const Context& c, const NodeDeleteRequest& request, const NodeDeleteResult& result) {
         c.report(fmt::format("deleted {}; its {} no more (`hebb node set {}` brings it back)",
                              request.id, counted(result.edges, "edge counts", "edges count"),
                              request.id));
       }});
}

}  // namespace

void add_node(CLI::App& app, Context& context) {
  auto* node = add_command(app, context, "node", "Set, get or delete one node",
                           "  hebb node set task-7 --type TASK --state OPEN\n"
                           "  hebb node get task-7\n"
                           "  hebb node delete task-7",
                           {});
  node->require_subcommand(1);
  add_node_set(*node, context);
  add_get(*node, context);
  add_delete(*node, context);
}

}  // namespace hebb::cli
