// hebb explain
#include "api/explain.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/operation_command.h"
#include "cli/time_option.h"

namespace hebb::cli {

namespace {

using api::ExplainEdgeRequest, api::ExplainEdgeResult;
using api::ExplainRequest, api::ExplainResult, api::FactorExplained;

std::string cause_text(const api::CauseLine& c) {
  return fmt::format("event {}, {}: {}", c.event, format_time(c.at.ms), c.what);
}

// --- a task --------------------------------------------------------------------------------------

// Whether it is a part of `base`; the other factors are multiplied.
bool is_part(const FactorExplained& factor) {
  return factor.name == "semantic" || factor.name == "structural";
}

void print_factor(const Context& context, const FactorExplained& factor,
                  const std::string& indent) {
  context.wrapped_line(fmt::format("{}{:<{}} {:>9.4g}   {}", indent, factor.name,
                                   15 - indent.size(), factor.value, factor.formula),
                       28);
  const bool adds_up =
      factor.name == "structural" || factor.name == "reward" || factor.name == "failure_penalty";
  for (const auto& g : factor.grounds) {
    context.wrapped_line(
        fmt::format("{}    {}", indent, g.what) + (adds_up ? fmt::format("  {:.4g}", g.value) : ""),
        indent.size() + 6);
    if (g.cause_count > std::ssize(g.causes)) {
      context.line(
          fmt::format("{}        the last {} of {}:", indent, g.causes.size(), g.cause_count));
    }
    for (const auto& c : g.causes) {
      context.wrapped_line(fmt::format("{}        {}", indent, cause_text(c)), indent.size() + 12);
    }
  }
}

std::string product_text(const ExplainResult& x) {
  std::vector<std::string> factors;
  for (const auto& factor : x.factors) {
    if (!is_part(factor)) factors.push_back(fmt::format("{} {:.4g}", factor.name, factor.value));
  }
  return fmt::format("priority {:.4g} = {}{}", x.priority, fmt::join(factors, " * "),
                     x.ranked ? "" : "   (if it were ranked)");
}

// Prints the product first, then each factor; the parts of base are indented below it.
void print_task(const Context& context, const ExplainResult& x) {
  std::string title = x.id;
  for (const auto* part : {&x.name, &x.type, &x.state}) {
    if (!part->empty()) title += "  " + *part;
  }
  context.wrapped_line(one_line(title), 4);
  const std::string at = format_time(x.at.ms);
  context.wrapped_line(x.ranked
                           ? fmt::format("rank {} of {}, {:.1f} % of the first, as of {}", *x.rank,
                                         *x.candidates, *x.relative * 100, at)
                           : fmt::format("not ranked: {}; as of {}", x.why_not.value_or(""), at),
                       4);
  if (x.pinned)
    context.line("pinned: above everything that is not, whatever its priority and its failures");
  context.line("");
  context.wrapped_line(product_text(x), 4);
  context.line("");
  for (const auto& factor : x.factors) {
    if (is_part(factor)) continue;
    print_factor(context, factor, "");
    if (factor.name != "base") continue;
    for (const auto& part : x.factors) {
      if (is_part(part)) print_factor(context, part, "  ");
    }
  }
  if (x.history.empty()) return;
  context.line("");
  context.line("history");
  for (const auto& c : x.history) context.wrapped_line("    " + cause_text(c), 8);
}

// One line says who goes first; the table why, what decides most first.
void print_against(const Context& context, const ExplainResult& x) {
  const api::Against& other = *x.against;
  const auto place = [](const std::optional<std::int64_t>& rank) {
    return rank ? fmt::format("rank {}", *rank) : std::string("not ranked");
  };
  context.wrapped_line(
      fmt::format("{} ({}, priority {:.4g}) against {} ({}, priority {:.4g}), as of {}", x.id,
                  place(x.rank), x.priority, other.id, place(other.rank), other.priority,
                  format_time(x.at.ms)),
      4);
  const bool by_factor =
      other.decides != "ranked" && other.decides != "pinned" && other.decides != "tie";
  context.wrapped_line(
      by_factor ? fmt::format("{} goes first: {} decides", other.winner, other.decides)
      : other.decides == "tie"
          ? fmt::format(
                "{} goes first: equal priorities; the higher base, the older, the smaller id",
                other.winner)
          : fmt::format("{} goes first: it is {}", other.winner, other.decides),
      4);
  context.line("");
  std::vector<std::vector<std::string>> rows;
  for (const auto& f : other.factors) {
    rows.push_back({f.name, fmt::format("{:.4g}", f.mine), fmt::format("{:.4g}", f.theirs),
                    f.ratio > 0 ? fmt::format("{:.4g}", f.ratio) : "-"});
  }
  context.table({{"factor"}, {x.id, true}, {other.id, true}, {"ratio", true}}, rows);
}

// --- an edge -------------------------------------------------------------------------------------

void print_edge(const Context& context, const ExplainEdgeResult& x) {
  context.line(fmt::format("{} -{}-> {}", x.source, x.type, x.target));
  const std::string at = format_time(x.at.ms);
  if (x.exists) {
    context.wrapped_line(fmt::format("weight {:.4g}{}, as of {}; {:.4g} when last touched, {}",
                                     x.weight, x.dormant ? " (dormant)" : "", at, x.stored_weight,
                                     format_time(x.touched_at.value_or(api::Time()).ms)),
                         4);
    if (!x.properties.empty())
      context.wrapped_line(fmt::format("properties {}", x.properties.dump()), 4);
  } else {
    context.line(fmt::format("not there, as of {}; this is what it was", at));
  }
  const auto text = [](const std::optional<double>& w) {
    return w ? fmt::format("{:.4g}", *w) : std::string("-");
  };
  std::vector<std::vector<std::string>> rows;
  for (const auto& s : x.history) {
    rows.push_back({std::to_string(s.event), format_time(s.at.ms), s.what, s.rule, text(s.before),
                    text(s.after)});
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

struct ExplainOptions {
  std::string task, target, type;  // an edge's source, if there is a target
  std::string against;
  std::optional<TimeMs> as_of;
};

void explain(const Context& context, const ExplainOptions& o) {
  if (o.target.empty() != o.type.empty())
    throw Stop(kUsage, "an edge has three parts: hebb explain SOURCE TARGET TYPE");
  std::optional<api::Time> as_of;
  if (o.as_of) as_of = api::Time{*o.as_of};
  if (o.target.empty()) {
    ExplainRequest request{o.task, as_of, o.against};
    return run_operation<ExplainRequest, ExplainResult>(
        context,
        {"explain", api::explain,
         [](const Context& c, const ExplainRequest&, const ExplainResult& x) {
           x.against ? print_against(c, x) : print_task(c, x);
         }},
        request);
  }
  if (!o.against.empty()) throw Stop(kUsage, "--against is for tasks: hebb explain TASK");
  ExplainEdgeRequest request{o.task, o.target, o.type, as_of};
  run_operation<ExplainEdgeRequest, ExplainEdgeResult>(
      context,
      {"explain_edge", api::explain_edge,
       [](const Context& c, const ExplainEdgeRequest&, const ExplainEdgeResult& x) {
         print_edge(c, x);
       }},
      request);
}

}  // namespace

// Two operations in one command: with one word it explains a task, with three an edge.
void add_explain(CLI::App& app, Context& context) {
  const auto o = std::make_shared<ExplainOptions>();
  auto* command =
      add_command(app, context, "explain",
                  "Why a task has its place in the ranking, or how an edge got its weight",
                  fmt::format("{}\n{}", api::operation_named("explain").about.example,
                              api::operation_named("explain_edge").about.example),
                  [&context, o] { explain(context, *o); });
  command->add_option("TASK", o->task, "A task; or with the next two, where an edge goes out from")
      ->required();
  command->add_option("TARGET", o->target, "Where the edge leads to");
  command->add_option("TYPE", o->type, "The edge's type");
  command->add_option("--against", o->against,
                      "A second task: factor by factor, and which of them decides");
  add_time_option(*command, "--as-of", o->as_of, "As it was at that time");
}

}  // namespace hebb::cli
