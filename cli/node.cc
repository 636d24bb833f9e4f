// hebb node set, get, delete
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/embedding.h"
#include "cli/found_nodes.h"
#include "cli/graph_edges.h"

namespace hebb::cli {

namespace {

struct Options {
  std::string id;
  std::optional<std::string> type, state, name, description, project, scope, properties;
  std::string vector, embedder, model;
};

Json time_json(TimeMs t) { return t == graph::kNever ? Json(nullptr) : Json(t); }

// All there is to say of a node, from the graph (`found` has what the graph does not hold).
Json node_json(const State& s, graph::NodeId n, const NodeContent& content) {
  const auto& c = s.graph().nodes();
  const auto vector = s.vectors().row(n);
  return {{"id", s.graph().id(n)},
          {"type", s.graph().node_types().name(c.type[n])},
          {"state", s.graph().states().name(c.state[n])},
          {"name", content.name.value_or("")},
          {"description", content.description.value_or("")},
          {"project", content.project.value_or("")},
          {"scope", content.scope.value_or("")},
          {"properties", Json::parse(content.properties.value_or("{}"), nullptr, false)},
          {"createdAt", time_json(c.created_at[n])},
          {"updatedAt", time_json(c.updated_at[n])},
          {"reopenedAt", time_json(c.reopened_at[n])},
          {"outcomeAt", time_json(c.outcome_at[n])},
          {"completedAt", time_json(c.completed_at[n])},
          {"vector", std::vector<float>(vector.begin(), vector.end())}};
}

void print_node(const Context& context, const Json& node) {
  if (context.json) return context.print_json(node);
  std::vector<std::pair<std::string, std::string>> rows;
  for (const auto& [key, value] : node.items()) {
    if (value.is_null() || (value.is_structured() && value.empty()) || value == "") continue;
    std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (key == "vector") text = fmt::format("{} numbers (--json prints them)", value.size());
    const bool is_time = key.ends_with("At") || key == "last_recalled_at";
    if (is_time) text = format_time(value.get<TimeMs>());
    rows.push_back({key, std::move(text)});
  }
  context.fields(rows);
}

void set(const Context& context, const Options& o) {
  require_name(o.id, "ID");
  if (o.type) require_name(*o.type, "--type");
  if (o.state) require_name(*o.state, "--state");
  NodeUpsert upsert;
  upsert.type = o.type;
  upsert.state = o.state;
  for (const auto& [text, option] : {std::pair{&o.name, "--name"},
                                     {&o.description, "--description"},
                                     {&o.project, "--project"},
                                     {&o.scope, "--scope"}}) {
    if (*text) require_text(**text, option);
  }
  upsert.name = o.name;
  upsert.description = o.description;
  upsert.project = o.project;
  upsert.scope = o.scope;
  if (o.properties) upsert.properties = require_properties(*o.properties);
  if (!o.vector.empty()) {
    upsert.vector = read_vector(o.vector);
    if (auto refusal = check_vector(upsert.vector, "--vector")) throw Refused(std::move(*refusal));
    upsert.embedder = "external";
  }
  const auto embedder = embedder_of(o.embedder, o.model);
  Event event;
  event.at = context.now();
  event.subject = o.id;
  event.payload = std::move(upsert);
  Engine engine = context.open(Context::Access::create);
  const bool there = engine.has_node(o.id);
  AppendOptions options;
  options.embedder = embedder.get();
  MissingVectors missing;
  options.missing = &missing;
  engine.append(std::move(event), options);
  note_missing_vectors(context, missing);
  engine.sync();
  const State& s = engine.state();
  if (context.json)
    return print_node(context, node_json(s, require_node(s, o.id), engine.content(o.id)));
  context.report(fmt::format("{} {}", there ? "updated" : "created", o.id));
}

void get(const Context& context, const Options& o) {
  Engine engine = context.open(Context::Access::read);
  const State& s = engine.state();
  const auto n = require_node(s, o.id);
  Json node = node_json(s, n, engine.content(o.id));
  // This counts as recall, and says how often it did before.
  if (const auto found = recall::get_node(up_to_date_mirror(engine), o.id, context.now())) {
    node["recall_count"] = found->recall_count;
    node["last_recalled_at"] =
        found->last_recalled_at ? Json(*found->last_recalled_at) : Json(nullptr);
  }
  print_node(context, node);
}

void remove(const Context& context, const Options& o) {
  Engine engine = context.open(Context::Access::write);
  const State& s = engine.state();
  const auto n = require_node(s, o.id);
  const auto edges = s.graph().in_edges(n).size() + s.graph().out_edges(n).size();
  Event event;
  event.at = context.now();
  event.subject = o.id;
  event.payload = NodeDelete{};
  engine.append(std::move(event));
  engine.sync();
  if (context.json) return context.print_json({{"id", o.id}, {"edges", edges}});
  context.report(
      fmt::format("deleted {}; its {} edges count no more ("
                  "`hebb node set {}` brings it back)",
                  o.id, edges, o.id));
}

void add_set(CLI::App& node, Context& context) {
  const auto o = std::make_shared<Options>();
  auto* command =
      add_command(node, context, "set", "Create a node, or change the fields that are given",
                  "  hebb node set task-7 --type TASK --state OPEN --name \"Fix login\"\n"
                  "  hebb node set task-7 --properties '{\"estimate\": 3}'",
                  [&context, o] { set(context, *o); });
  command->add_option("ID", o->id, "The node")->required();
  command->add_option("--type", o->type, "TASK, LABEL, …; a new node must have one");
  command->add_option("--state", o->state, "OPEN makes it a task to be ranked; CLOSED, …");
  command->add_option("--name", o->name, "A line");
  command->add_option("--description", o->description, "Any text");
  command->add_option("--project", o->project, "What it belongs to");
  command->add_option("--scope", o->scope, "Where it holds");
  command->add_option("--properties", o->properties, "A JSON object");
  command->add_option("--vector", o->vector,
                      "A file with a JSON array of numbers, instead of an embedder's");
  add_embedder_options(*command, o->embedder, o->model);
}

}  // namespace

void add_node(CLI::App& app, Context& context) {
  auto* node = add_command(app, context, "node", "One node by hand",
                           "  hebb node set task-7 --type TASK --state OPEN\n"
                           "  hebb node get task-7\n"
                           "  hebb node delete task-7",
                           {});
  node->require_subcommand(1);
  add_set(*node, context);
  const auto o = std::make_shared<Options>();
  auto* getter = add_command(*node, context, "get", "All fields of a node (counts as recall)",
                             "  hebb node get task-7\n  hebb node get task-7 --json",
                             [&context, o] { get(context, *o); });
  getter->add_option("ID", o->id, "The node")->required();
  auto* remover = add_command(*node, context, "delete",
                              "Delete a node; the ledger keeps it, and setting it brings it back",
                              "  hebb node delete task-7", [&context, o] { remove(context, *o); });
  remover->add_option("ID", o->id, "The node")->required();
}

}  // namespace hebb::cli
