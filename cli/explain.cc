// hebb explain
#include "engine/explain.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/time_option.h"

namespace hebb::cli {

namespace {

struct Options {
  std::string task, target, type;  // an edge's source, if there is a target
  std::optional<TimeMs> as_of;
};

// What was at a time is seen from that time.
std::optional<TimeMs> evaluated_at(const Context& context, const Options& o) {
  return o.as_of ? o.as_of : context.now_option;
}

std::string cause_text(const Cause& c) {
  return fmt::format("event {}, {}: {}", c.event, format_time(c.at), c.what);
}

Json cause_json(const Cause& c) { return {{"event", c.event}, {"at", c.at}, {"what", c.what}}; }

// --- a task --------------------------------------------------------------------------------------

Json task_json(const TaskExplanation& x) {
  const auto& f = x.factors;
  Json lines = Json::array();
  for (const auto& line : x.lines) {
    Json grounds = Json::array();
    for (const auto& g : line.grounds) {
      Json causes = Json::array();
      for (const auto& c : g.causes) causes.push_back(cause_json(c));
      grounds.push_back({{"what", g.what}, {"value", g.value}, {"causes", causes}});
    }
    lines.push_back({{"name", line.name},
                     {"value", line.value},
                     {"formula", line.formula},
                     {"grounds", grounds}});
  }
  Json task = {{"id", x.id},
               {"name", x.name},
               {"type", x.type},
               {"state", x.state},
               {"at", x.at},
               {"ranked", x.ranked},
               {"whyNot", x.why_not},
               {"blockers", x.blockers},
               {"rank", x.rank},
               {"candidates", x.candidates},
               {"relative", x.relative},
               {"priority", f.priority},
               {"factors", lines}};
  for (const auto& c : x.history) task["history"].push_back(cause_json(c));
  return task;
}

void print_line(const Context& context, const FactorLine& line, const std::string& indent) {
  context.wrapped_line(fmt::format("{}{:<{}} {:>9.4g}   {}", indent, line.name, 15 - indent.size(),
                                   line.value, line.formula),
                       28);
  const bool adds_up =
      line.name == "structural" || line.name == "reward" || line.name == "failure_penalty";
  for (const auto& g : line.grounds) {
    context.wrapped_line(
        fmt::format("{}    {}", indent, g.what) + (adds_up ? fmt::format("  {:.4g}", g.value) : ""),
        indent.size() + 6);
    for (const auto& c : g.causes) {
      context.wrapped_line(fmt::format("{}        {}", indent, cause_text(c)), indent.size() + 12);
    }
  }
}

// The product first, then each of its factors; what base is made from stands beneath base.
void print_task(const Context& context, const TaskExplanation& x) {
  std::string title = x.id;
  for (const auto* part : {&x.name, &x.type, &x.state}) {
    if (!part->empty()) title += "  " + *part;
  }
  context.wrapped_line(one_line(title), 4);
  context.wrapped_line(x.ranked
                           ? fmt::format("rank {} of {}, {:.1f} % of the first, as of {}", x.rank,
                                         x.candidates, x.relative * 100, format_time(x.at))
                           : fmt::format("not ranked: {}; as of {}", x.why_not, format_time(x.at)),
                       4);
  const auto& f = x.factors;
  context.line("");
  context.wrapped_line(
      fmt::format("priority {:.4g} = base {:.4g} * recency {:.4g} * time_proximity {:.4g} * reward "
                  "{:.4g} * "
                  "success_rate {:.4g} * failure_penalty {:.4g}{}",
                  f.priority, f.base, f.recency, f.time_proximity, f.reward, f.success_rate,
                  f.failure_penalty, x.ranked ? "" : "   (if it were ranked)"),
      4);
  context.line("");
  const auto is_part = [](const FactorLine& line) {
    return line.name == "semantic" || line.name == "structural";
  };
  for (const auto& line : x.lines) {
    if (is_part(line)) continue;
    print_line(context, line, "");
    if (line.name != "base") continue;
    for (const auto& part : x.lines) {
      if (is_part(part)) print_line(context, part, "  ");
    }
  }
  if (x.history.empty()) return;
  context.line("");
  context.line("history");
  for (const auto& c : x.history) context.wrapped_line("    " + cause_text(c), 8);
}

void explain_one_task(const Context& context, Engine& engine, const Options& o) {
  const auto& id = o.task;
  const TaskExplanation x = explain_task(engine, id, o.as_of, evaluated_at(context, o));
  if (x.lines.empty()) {
    throw Stop(kFailed,
               o.as_of ? fmt::format("there was no node \"{}\" at {}", id, format_time(*o.as_of))
                       : fmt::format("there is no node \"{}\"; `hebb search` finds nodes "
                                     "by their text",
                                     id));
  }
  if (context.json) return context.print_json(task_json(x));
  print_task(context, x);
}

// --- an edge -------------------------------------------------------------------------------------

Json weight_json(const std::optional<double>& weight) {
  return weight ? Json(*weight) : Json(nullptr);
}

Json edge_json(const EdgeExplanation& x) {
  Json steps = Json::array();
  for (const auto& s : x.steps) {
    Json step = cause_json(s.cause);
    step["rule"] = s.rule;
    step["before"] = weight_json(s.before);
    step["after"] = weight_json(s.after);
    steps.push_back(std::move(step));
  }
  const Json properties = Json::parse(x.properties.empty() ? "{}" : x.properties, nullptr, false);
  return {{"source", x.edge.source},
          {"target", x.edge.target},
          {"type", x.edge.type},
          {"at", x.at},
          {"exists", x.exists},
          {"weight", x.weight},
          {"stored_weight", x.stored_weight},
          {"touched_at", x.exists ? Json(x.touched_at) : Json(nullptr)},
          {"dormant", x.dormant},
          {"properties", properties},
          {"history", steps}};
}

void print_edge(const Context& context, const EdgeExplanation& x) {
  context.line(fmt::format("{} -{}-> {}", x.edge.source, x.edge.type, x.edge.target));
  if (x.exists) {
    context.wrapped_line(fmt::format("weight {:.4g}{}, as of {}; {:.4g} when last touched, {}",
                                     x.weight, x.dormant ? " (dormant)" : "", format_time(x.at),
                                     x.stored_weight, format_time(x.touched_at)),
                         4);
    if (!x.properties.empty() && x.properties != "{}") {
      context.wrapped_line(fmt::format("properties {}", x.properties), 4);
    }
  } else {
    context.line(fmt::format("not there, as of {}; this is what it was", format_time(x.at)));
  }
  const auto text = [](const std::optional<double>& w) {
    return w ? fmt::format("{:.4g}", *w) : std::string("-");
  };
  std::vector<std::vector<std::string>> rows;
  for (const auto& s : x.steps) {
    rows.push_back({std::to_string(s.cause.event), format_time(s.cause.at), s.cause.what, s.rule,
                    text(s.before), text(s.after)});
  }
  context.line("");
  context.table({{"event", true},
                 {"at"},
                 {"what", false, true},
                 {"rule", false, true},
                 {"before", true},
                 {"after", true}},
                rows);
}

void explain_one_edge(const Context& context, Engine& engine, const Options& o) {
  const EdgeName edge{o.task, o.target, o.type};
  const EdgeExplanation x = explain_edge(engine, edge, o.as_of, evaluated_at(context, o));
  if (!x.exists && x.steps.empty()) {
    throw Stop(kFailed,
               fmt::format("there is no edge {} -{}-> {}{}, and nothing that counts made one; "
                           "`hebb neighbors {} --dormant` lists those there are",
                           edge.source, edge.type, edge.target, o.as_of ? " at that time" : "",
                           edge.source));
  }
  if (context.json) return context.print_json(edge_json(x));
  print_edge(context, x);
}

void explain(const Context& context, const Options& o) {
  if (o.target.empty() != o.type.empty()) {
    throw Stop(kUsage, "an edge has three parts: hebb explain SOURCE TARGET TYPE");
  }
  Engine engine = context.open(Context::Access::read);
  o.target.empty() ? explain_one_task(context, engine, o) : explain_one_edge(context, engine, o);
}

}  // namespace

void add_explain(CLI::App& app, Context& context) {
  const auto o = std::make_shared<Options>();
  auto* command =
      add_command(app, context, "explain",
                  "Why a task stands where it stands, or how an edge came by its weight",
                  "  hebb explain task-7\n"
                  "  hebb explain task-7 --as-of 1769781359000\n"
                  "  hebb explain frontier task-7 GUIDES",
                  [&context, o] { explain(context, *o); });
  command->add_option("TASK", o->task, "A task; or with the next two, where an edge goes out from")
      ->required();
  command->add_option("TARGET", o->target, "Where the edge leads to");
  command->add_option("TYPE", o->type, "The edge's type");
  add_time_option(*command, "--as-of", o->as_of, "As it was at that time");
}

}  // namespace hebb::cli
