// hebb explain
#include <algorithm>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/operation_command.h"

namespace hebb::cli {

namespace {

std::string cause_text(const Json& c) {
  return fmt::format("event {}, {}: {}", whole(c, "event"), time(c, "at"), text(c, "what"));
}

// --- a task --------------------------------------------------------------------------------------

// Whether the factor is a part of `base`; the others are multiplied.
bool is_part(const Json& factor) {
  const auto name = text(factor, "name");
  return name == "semantic" || name == "structural";
}

void print_factor(const Context& context, const Json& factor, const std::string& indent) {
  const std::string name = text(factor, "name");
  context.wrapped_line(fmt::format("{}{:<{}} {:>9.4g}   {}", indent, name, 15 - indent.size(),
                                   number(factor, "value"), text(factor, "formula")),
                       28);
  const bool adds_up = name == "structural" || name == "reward" || name == "failure_penalty";
  for (const Json& g : list(factor, "grounds")) {
    context.wrapped_line(fmt::format("{}    {}", indent, text(g, "what")) +
                             (adds_up ? fmt::format("  {:.4g}", number(g, "value")) : ""),
                         indent.size() + 6);
    const Json& causes = list(g, "causes");
    if (whole(g, "cause_count") > std::ssize(causes)) {
      context.line(fmt::format("{}        the last {} of {}:", indent, causes.size(),
                               whole(g, "cause_count")));
    }
    for (const Json& c : causes)
      context.wrapped_line(fmt::format("{}        {}", indent, cause_text(c)), indent.size() + 12);
  }
}

std::string product_text(const Json& x) {
  std::vector<std::string> factors;
  for (const Json& factor : list(x, "factors")) {
    if (!is_part(factor))
      factors.push_back(fmt::format("{} {:.4g}", text(factor, "name"), number(factor, "value")));
  }
  return fmt::format("priority {:.4g} = {}{}", number(x, "priority"), fmt::join(factors, " * "),
                     flag(x, "ranked") ? "" : "   (if it were ranked)");
}

// Prints the product first, then each factor; the parts of base are indented below it.
void print_task(const Context& context, const Json& x) {
  std::string title = text(x, "id");
  for (const char* part : {"name", "type", "state"}) {
    if (const auto value = text(x, part); !value.empty()) title += "  " + value;
  }
  context.wrapped_line(one_line(title), 4);
  if (has(x, "sentence")) context.wrapped_line(text(x, "sentence") + ".", 4);
  const std::string at = time(x, "at");
  context.wrapped_line(flag(x, "ranked")
                           ? fmt::format("{:.1f} % of the highest priority, as of {}",
                                         number(x, "relative") * 100, at)
                           : fmt::format("not ranked: {}; as of {}", text(x, "why_not"), at),
                       4);
  if (has(x, "because")) context.wrapped_line("snoozed because: " + text(x, "because"), 4);
  if (const std::string tier = text(x, "tier"); tier == "pinned") {
    context.line("pinned: above everything that is not, whatever its priority and its failures");
  } else if (!tier.empty()) {
    context.wrapped_line(tier + ": above what is less so, whatever its priority", 4);
  }
  context.line("");
  context.wrapped_line(product_text(x), 4);
  context.line("");
  for (const Json& factor : list(x, "factors")) {
    if (is_part(factor)) continue;
    print_factor(context, factor, "");
    if (text(factor, "name") != "base") continue;
    for (const Json& part : list(x, "factors")) {
      if (is_part(part)) print_factor(context, part, "  ");
    }
  }
  if (list(x, "history").empty()) return;
  context.line("");
  context.line("history");
  for (const Json& c : list(x, "history")) context.wrapped_line("    " + cause_text(c), 8);
}

// One line says which task goes first; the table shows why, the most decisive factor first.
void print_against(const Context& context, const Json& x) {
  const Json& other = x["against"];
  const auto place = [](const Json& task) {
    return has(task, "rank") ? fmt::format("rank {}", whole(task, "rank"))
                             : std::string("not ranked");
  };
  context.wrapped_line(
      fmt::format("{} ({}, priority {:.4g}) against {} ({}, priority {:.4g}), as of {}",
                  text(x, "id"), place(x), number(x, "priority"), text(other, "id"), place(other),
                  number(other, "priority"), time(x, "at")),
      4);
  const std::string decides = text(other, "decides"), winner = text(other, "winner");
  const bool by_factor = std::ranges::any_of(
      list(other, "factors"), [&](const Json& f) { return text(f, "name") == decides; });
  context.wrapped_line(
      by_factor ? fmt::format("{} goes first: {} decides", winner, decides)
      : decides == "tie"
          ? fmt::format(
                "{} goes first: equal priorities; the higher base, the test with more failures, "
                "the shorter, the older, the smaller id",
                winner)
          : fmt::format("{} goes first: it is {}", winner, decides),
      4);
  context.line("");
  std::vector<std::vector<std::string>> rows;
  for (const Json& f : list(other, "factors")) {
    const double ratio = number(f, "ratio");
    rows.push_back({text(f, "name"), fmt::format("{:.4g}", number(f, "mine")),
                    fmt::format("{:.4g}", number(f, "theirs")),
                    ratio > 0 ? fmt::format("{:.4g}", ratio) : "-"});
  }
  context.table({{"factor"}, {text(x, "id"), true}, {text(other, "id"), true}, {"ratio", true}},
                rows);
}

void print_explained(const Context& context, const Json&, const Json& x) {
  has(x, "against") ? print_against(context, x) : print_task(context, x);
}

// --- an edge -------------------------------------------------------------------------------------

void print_edge(const Context& context, const Json&, const Json& x) {
  context.line(edge_text(x));
  const std::string at = time(x, "at");
  if (flag(x, "exists")) {
    context.wrapped_line(
        fmt::format("weight {}, as of {}; {:.4g} when last updated, {}", weight_text(x), at,
                    number(x, "stored_weight"), time(x, "touched_at")),
        4);
    if (has(x, "properties") && !x["properties"].empty())
      context.wrapped_line(fmt::format("properties {}", x["properties"].dump()), 4);
  } else {
    context.line(fmt::format("not there, as of {}; this is what it was", at));
  }
  context.line("");
  print_rows(context, list(x, "history"),
             {{"event", true},
              {"at"},
              {"what", false, true},
              {"rule", false, true},
              {"before", true},
              {"after", true}},
             [](const Json& step) -> Cells {
               const auto weight = [&](const char* name) {
                 return has(step, name) ? fmt::format("{:.4g}", number(step, name)) : "-";
               };
               return {std::to_string(whole(step, "event")),
                       time(step, "at"),
                       text(step, "what"),
                       text(step, "rule"),
                       weight("before"),
                       weight("after")};
             });
}

}  // namespace

Views explain_views() {
  return {
      {.operation = "explain",
       .does = "Why a task has its place in the ranking, or how an edge got its weight",
       .print = print_explained},
      {.operation = "explain_edge", .print = print_edge},
  };
}

}  // namespace hebb::cli
