// hebb next, claim renew | release | list, outcome, list, recalibrate
#include <fmt/format.h>

#include "api/counted.h"
#include "cli/commands.h"
#include "cli/operation_command.h"
#include "cli/shortened.h"

namespace hebb::cli {

namespace {

void print_next(const Context& context, const Json&, const Json& result) {
  const Json& tasks = list(result, "tasks");
  if (tasks.empty()) context.note("nothing to do");
  for (const Json& task : tasks) {
    std::string line = text(task, "id");
    if (const auto name = text(task, "name"); !name.empty()) line += "  " + name;
    if (has(task, "token"))
      line += fmt::format("  token {}  until {}", whole(task, "token"), time(task, "expires_at"));
    if (const auto why = texts(task, "why"); !why.empty())
      line += fmt::format("  ({})", fmt::join(why, ", "));
    context.line(line);
  }
}

void print_claim(const Context& context, const Json& c) {
  context.line(fmt::format("{}  {}  token {}  {}  until {}", text(c, "task"), text(c, "agent"),
                           whole(c, "token"), text(c, "status"), time(c, "expires_at")));
}

void print_one_claim(const Context& context, const Json&, const Json& result) {
  print_claim(context, result["claim"]);
}

void print_claims(const Context& context, const Json&, const Json& result) {
  if (list(result, "claims").empty()) context.note("no claims");
  for (const Json& claim : list(result, "claims")) print_claim(context, claim);
}

void print_outcome(const Context& context, const Json&, const Json& result) {
  context.report(fmt::format("{}: {}{}", text(result, "id"), text(result, "outcome"),
                             flag(result, "repeated") ? ", which was known already" : ""));
}

// What people said of it, and what holds it back.
std::string said_of(const Json& node) {
  std::vector<std::string> said;
  if (flag(node, "pinned")) said.emplace_back("pinned");
  if (has(node, "priority")) said.push_back(fmt::format("P{}", whole(node, "priority")));
  if (has(node, "due_at")) said.push_back("due " + time(node, "due_at"));
  if (has(node, "snoozed_until")) said.push_back("snoozed until " + time(node, "snoozed_until"));
  for (const std::string& why : texts(node, "not_ready")) {
    if (!why.starts_with("snoozed")) said.push_back(why);
  }
  if (has(node, "verdict_changes"))
    said.push_back(fmt::format("verdict changed {}x", whole(node, "verdict_changes")));
  return fmt::format("{}", fmt::join(said, ", "));
}

void print_list(const Context& context, const Json&, const Json& result) {
  std::vector<std::vector<std::string>> cells;
  for (const Json& node : list(result, "nodes")) {
    auto labels = texts(node, "labels");
    for (std::string& assignee : texts(node, "assignees")) labels.push_back(std::move(assignee));
    cells.push_back({text(node, "id"), shortened(text(node, "name")), text(node, "state"),
                     fmt::format("{}", fmt::join(labels, ", ")), said_of(node)});
  }
  if (!cells.empty()) {
    context.table({{"id", false, true},
                   {"name", false, true},
                   {"state"},
                   {"labels", false, true},
                   {"said", false, true}},
                  cells);
  }
  context.note(fmt::format("{} of {}", cells.size(), whole(result, "total")));
}

void print_changes(const Context& context, std::string_view what, const Json& edges) {
  constexpr std::size_t kShown = 10;
  if (edges.empty()) return;
  context.report(fmt::format("{} {}:", counted(std::ssize(edges), "edge"), what));
  for (std::size_t i = 0; i < std::min(edges.size(), kShown); ++i)
    context.report(fmt::format("  {}  {:.3f}", edge_text(edges[i]), number(edges[i], "weight")));
  if (edges.size() > kShown) context.report(fmt::format("  … and {} more", edges.size() - kShown));
}

void print_recalibration(const Context& context, const Json&, const Json& r) {
  context.report(fmt::format(
      "recalibrated as of {}: {}{}", time(r, "at"), counted(whole(r, "candidates"), "candidate"),
      flag(r, "repeated") ? " (done before for this time: nothing changed)" : ""));
  for (const Json& g : list(r, "guides"))
    context.report(fmt::format("  guides to {}  {:.3f}", text(g, "id"), number(g, "weight")));
  for (const char* name : {"entered", "left"}) {
    const auto ids = texts(r, name);
    if (!ids.empty()) context.report(fmt::format("{} the top: {}", name, fmt::join(ids, ", ")));
  }
  print_changes(context, "became dormant", list(r, "became_dormant"));
  print_changes(context, "woke", list(r, "woke"));
}

}  // namespace

Views work_views() {
  return {
      {.operation = "next", .print = print_next, .on_outcome = true},
      {.operation = "claim_renew", .print = print_one_claim},
      {.operation = "claim_release", .print = print_one_claim},
      {.operation = "claim_list", .print = print_claims},
      {.operation = "outcome", .print = print_outcome, .on_outcome = true},
      {.operation = "list", .print = print_list},
      {.operation = "recalibrate", .print = print_recalibration},
  };
}

}  // namespace hebb::cli
