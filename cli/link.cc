// hebb link, unlink, pivot
#include <cctype>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/cycle.h"
#include "cli/graph_edges.h"
#include "engine/fold/blocking.h"

namespace hebb::cli {

namespace {

struct Options {
  std::string source, target, type;
  double weight = 1.0;
  std::optional<std::string> properties;
};

void require_edge_names(const Options& o) {
  require_name(o.source, "SOURCE");
  require_name(o.target, "TARGET");
  require_name(o.type, "TYPE");
}

// What became of the edge, after the writing.
void print_edge(const Context& context, Engine& engine, const EdgeName& name, std::string_view done,
                const std::vector<std::string>& cycle = {}) {
  const State& s = engine.state();
  const auto e = s.find_edge(name);
  if (!e) throw Stop(kFailed, "the edge is not there after all: another process removed it");
  const EdgeNow edge = edge_now(s, *e, context.now());
  if (context.json) {
    Json json = edge_json(edge);
    if (!cycle.empty()) json["blockingCycle"] = cycle;
    return context.print_json(json);
  }
  context.report(fmt::format("{} {}  weight {}", done, edge_text(edge), weight_text(edge)));
}

// A type that differs from one the policy names in nothing but case and dashes; empty: none.
std::string other_spelling(const reward::Policy& policy, const std::string& type) {
  const auto plain = [](std::string text) {
    for (char& c : text)
      c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
  };
  for (const auto& [name, of_type] : policy.types) {
    if (name == type) return {};
    if (plain(name) == plain(type)) return name;
  }
  return {};
}

void link(const Context& context, const Options& o) {
  require_edge_names(o);
  Link link{o.target, o.type, o.weight, {}};
  if (o.properties) link.properties = require_properties(*o.properties);
  Event event;
  event.at = context.now();
  event.subject = o.source;
  event.payload = std::move(link);
  Engine engine = context.open(Context::Access::create);
  const EdgeName name{o.source, o.target, o.type};
  const bool there = engine.state().find_edge(name).has_value();
  engine.append(std::move(event));
  engine.sync();
  const auto cycle = o.type == "BLOCKS"
                         ? blocking_cycle(engine.state(), context.now(), o.source, o.target)
                         : std::vector<std::string>();
  print_edge(context, engine, name, there ? "reinforced" : "linked", cycle);
  note_blocking_cycle(context, cycle);
  const std::string meant = other_spelling(engine.state().policy(), o.type);
  if (!meant.empty() && !there) {
    context.note(fmt::format(
        "{} is a type of its own, with the policy of any other; did you mean {}?", o.type, meant));
  }
}

void unlink(const Context& context, const Options& o) {
  require_edge_names(o);
  Event event;
  event.at = context.now();
  event.subject = o.source;
  event.payload = Unlink{o.target, o.type};
  Engine engine = context.open(Context::Access::write);
  const State& s = engine.state();
  require_node(s, o.source);
  require_node(s, o.target);
  const auto e = s.find_edge({o.source, o.target, o.type});
  if (!e) {
    throw Stop(kFailed, fmt::format("there is no edge {} -{}-> {}; `hebb neighbors {} --dormant` "
                                    "lists those there are",
                                    o.source, o.type, o.target, o.source));
  }
  const EdgeNow edge = edge_now(s, *e, context.now());
  engine.append(std::move(event));
  engine.sync();
  if (context.json) return context.print_json(edge_json(edge));
  context.report(
      fmt::format("unlinked {}  (its weight was {})", edge_text(edge), weight_text(edge)));
}

void pivot(const Context& context, const Options& o) {
  require_name(o.target, "NODE");
  Event event;
  event.at = context.now();
  event.subject = o.target;
  event.payload = Pivot{o.weight};
  Engine engine = context.open(Context::Access::create);
  const bool known = engine.has_node(o.target);
  engine.append(std::move(event));
  engine.sync();
  if (!known) context.note(fmt::format("\"{}\" is new: a CONTEXT_NODE", o.target));
  print_edge(context, engine, {std::string(kFrontier), o.target, "STRATEGIC_PIVOT"}, "pivoted:");
}

void add_edge_arguments(CLI::App& command, Options& o) {
  command.add_option("SOURCE", o.source, "The node it goes out from")->required();
  command.add_option("TARGET", o.target, "The node it leads to")->required();
  command.add_option("TYPE", o.type, "PARENT_OF, BLOCKS, LABELED_AS, RELATES_TO, …")->required();
}

}  // namespace

void add_link(CLI::App& app, Context& context) {
  const auto o = std::make_shared<Options>();
  auto* command = add_command(app, context, "link", "Make an edge, or reinforce it if it is there",
                              "  hebb link task-7 task-9 BLOCKS\n"
                              "  hebb link task-7 bug LABELED_AS --weight 0.5",
                              [&context, o] { link(context, *o); });
  add_edge_arguments(*command, *o);
  command->add_option("--weight", o->weight, "Above 0")->capture_default_str();
  command->add_option("--properties", o->properties, "A JSON object");
}

void add_unlink(CLI::App& app, Context& context) {
  const auto o = std::make_shared<Options>();
  auto* command =
      add_command(app, context, "unlink", "Remove an edge (exit 1 if it is not there)",
                  "  hebb unlink task-7 task-9 BLOCKS", [&context, o] { unlink(context, *o); });
  add_edge_arguments(*command, *o);
}

void add_pivot(CLI::App& app, Context& context) {
  const auto o = std::make_shared<Options>();
  auto* command = add_command(
      app, context, "pivot",
      "Turn the frontier to a node; what it pointed at so far, failures included, counts half",
      "  hebb pivot release-2\n  hebb pivot release-2 --weight 3",
      [&context, o] { pivot(context, *o); });
  command->add_option("NODE", o->target, "Made a CONTEXT_NODE if it is unknown")->required();
  command->add_option("--weight", o->weight, "Above 0")->capture_default_str();
}

}  // namespace hebb::cli
