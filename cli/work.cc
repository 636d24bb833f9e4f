// hebb next, claim, outcome and its short forms, add, edit and its short forms, delete, show, list
#include <algorithm>

#include <fmt/format.h>

#include "api/rank.h"
#include "api/values.h"
#include "cli/commands.h"
#include "cli/operation_command.h"
#include "cli/selectors.h"

namespace hebb::cli {

namespace {

void print_next(const Context& context, const Json&, const Json& result) {
  const Json& tasks = list(result, "tasks");
  if (tasks.empty()) {
    const std::string why = text(result, "why_none");
    context.note(why.empty() ? "nothing to do" : "nothing to do: " + why);
  }
  for (const Json& task : tasks) {
    std::string line = text(task, "id");
    if (const auto name = text(task, "name"); !name.empty()) line += "  " + name;
    if (has(task, "token"))
      line += fmt::format("  token {}  until {}", whole(task, "token"), time(task, "expires_at"));
    if (const auto why = texts(task, "why"); !why.empty())
      line += fmt::format("  ({})", fmt::join(why, ", "));
    context.line(line);
    for (const Json& outcome : list(task, "failures")) {
      context.line(fmt::format("  failed {}{}{}", time(outcome, "at"),
                               has(outcome, "agent") ? "  " + text(outcome, "agent") : "",
                               has(outcome, "because") ? "  " + text(outcome, "because") : ""));
    }
  }
}

void print_claim(const Context& context, const Json& c) {
  context.line(fmt::format("{}{}  {}  token {}  {}  until {}", text(c, "task"),
                           has(c, "name") ? "  " + text(c, "name") : "", text(c, "agent"),
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
  const auto print_one = [&](const Json& task) {
    context.report(fmt::format("{}: {}{}", text(task, "id"), text(result, "outcome"),
                               flag(task, "repeated") ? ", which was known already" : ""));
    if (has(task, "ended_claim_of"))
      context.note(fmt::format("the claim of {} on {} has ended", text(task, "ended_claim_of"),
                               text(task, "id")));
  };
  print_one(result);
  for (const Json& task : list(result, "also")) print_one(task);
}

// What people have set for the task, and what holds it back.
std::string details_of(const Json& node) {
  std::vector<std::string> details;
  if (has(node, "claimed_by"))
    details.push_back(
        fmt::format("{} has it until {}", text(node, "claimed_by"), time(node, "claimed_until")));
  if (flag(node, "pinned")) details.emplace_back("pinned");
  if (has(node, "priority")) details.push_back(fmt::format("P{}", whole(node, "priority")));
  if (has(node, "due_at")) details.push_back("due " + time(node, "due_at"));
  if (has(node, "snoozed_until")) {
    details.push_back("snoozed until " + time(node, "snoozed_until"));
    if (has(node, "because")) details.back() += fmt::format(" ({})", text(node, "because"));
  }
  for (const std::string& why : texts(node, "not_ready")) {
    if (!why.starts_with("snoozed")) details.push_back(why);
  }
  if (has(node, "verdict_changes"))
    details.push_back(fmt::format("verdict changed {}x", whole(node, "verdict_changes")));
  return fmt::format("{}", fmt::join(details, ", "));
}

void print_task(const Context& context, const Json& task) {
  const auto row = [&](const char* what, const std::string& value) {
    if (!value.empty()) context.line(fmt::format("  {:<12}{}", what, value));
  };
  const auto linked = [&](const char* what, const char* member) {
    for (const Json& other : list(task, member)) {
      row(what,
          fmt::format("{}  {}  {}", text(other, "id"), text(other, "name"), text(other, "state")));
    }
  };
  context.line(fmt::format("{}  {}", text(task, "id"), text(task, "name")));
  row("state", text(task, "state"));
  row("details", details_of(task));
  if (has(task, "estimate")) row("estimate", api::duration_text(whole(task, "estimate")));
  std::string description = text(task, "description");
  for (const char* what = "description"; !description.empty(); what = "") {
    const std::size_t end = std::min(description.find('\n'), description.size());
    row(what, description.substr(0, end));
    description.erase(0, end + 1);
  }
  for (const char* what : {"project", "number", "url"}) row(what, text(task, what));
  row("labels", fmt::format("{}", fmt::join(texts(task, "labels"), ", ")));
  row("assignees", fmt::format("{}", fmt::join(texts(task, "assignees"), ", ")));
  linked("part of", "part_of");
  linked("blocked by", "blocked_by");
  linked("unblocks", "unblocks");
  for (const Json& outcome : list(task, "outcomes")) {
    std::string line = fmt::format("{}  {}", time(outcome, "at"), text(outcome, "agent"));
    if (has(outcome, "because")) line += "  " + text(outcome, "because");
    row(text(outcome, "outcome").c_str(), line);
  }
}

void print_tasks(const Context& context, const Json&, const Json& result) {
  print_task(context, result["task"]);
  for (const Json& task : list(result, "also")) {
    context.line("");
    print_task(context, task);
  }
}

void print_written(const Context& context, const Json&, const Json& result) {
  const auto print_one = [&](const Json& task) {
    const std::string details = details_of(task);
    context.report(fmt::format("{}  {}{}", text(task, "id"), text(task, "name"),
                               details.empty() ? "" : "  (" + details + ")"));
  };
  print_one(result["task"]);
  for (const Json& task : list(result, "also")) print_one(task);
}

void print_deleted(const Context& context, const Json&, const Json& result) {
  const auto print_one = [&](const Json& task) {
    context.report(fmt::format("{}  {}: deleted; `hebb undo {}` brings it back", text(task, "id"),
                               text(task, "name"), whole(task, "event")));
  };
  print_one(result);
  for (const Json& task : list(result, "also")) print_one(task);
}

void prepare_list(const Context& context, Json& request) {
  if (api::find_runner(context.format) != nullptr) request["runner"] = context.format;
}

void print_list(const Context& context, const Json&, const Json& result) {
  if (has(result, "selectors")) {
    const auto selectors = texts(result, "selectors");
    if (!selectors.empty()) return print_for_runner(context, context.format, selectors, "--limit");
    return context.note(has(result, "no_selector")
                            ? fmt::format("no test of {} fits (not {})", context.format,
                                          text(result, "no_selector"))
                            : "no test fits");
  }
  std::vector<std::vector<std::string>> cells;
  for (const Json& node : list(result, "nodes")) {
    auto labels = texts(node, "labels");
    for (std::string& assignee : texts(node, "assignees")) labels.push_back(std::move(assignee));
    cells.push_back({text(node, "id"), shortened(text(node, "name")), text(node, "state"),
                     fmt::format("{}", fmt::join(labels, ", ")), details_of(node)});
  }
  if (!cells.empty()) {
    context.table({{"id", false, true},
                   {"name", false, true},
                   {"state"},
                   {"labels", false, true},
                   {"details", false, true}},
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
      "recalibrated as of {}: {}{}", time(r, "at"), counted(whole(r, "candidates"), "task"),
      flag(r, "repeated") ? " (done before for this time: nothing changed)" : ""));
  for (const Json& g : list(r, "guides"))
    context.report(fmt::format("  recommended: {}  {:.3f}", text(g, "id"), number(g, "weight")));
  for (const char* name : {"entered", "left"}) {
    const auto ids = texts(r, name);
    if (!ids.empty()) context.report(fmt::format("{} the top: {}", name, fmt::join(ids, ", ")));
  }
  print_changes(context, "became dormant", list(r, "became_dormant"));
  print_changes(context, "active again", list(r, "woke"));
}

// The other tasks, which stand behind the first.
constexpr Argument kOthers{"also", "IDS,--also", false};

// The last word is the time: until then all words are tasks.
void take_until(const Context&, Json& request) {
  if (request.contains("snoozed_until")) return;
  Json& others = request["also"];
  if (others.empty())
    throw Stop(kUsage, "UNTIL is required: a time such as monday, 2h or 2026-11-27");
  Json until = std::move(others.back());  // before the request grows
  others.erase(others.size() - 1);
  request["snoozed_until"] = std::move(until);
}

}  // namespace

Views work_views() {
  return {
      {.operation = "next", .print = print_next},
      {.operation = "claim", .print = print_next},
      {.operation = "claim_renew", .print = print_one_claim},
      {.operation = "claim_release", .print = print_one_claim},
      {.operation = "claim_list", .print = print_claims},
      {.operation = "outcome", .print = print_outcome, .on_outcome = true},
      {.operation = "outcome",
       .does = "Say that tasks are done: all of them are taken, or none",
       .command = "done",
       .arguments = {{"id"}, kOthers},
       .takes = {"because", "score", "token", "agent", "outcome_id"},
       .example = "  hebb done k3f9\n  hebb done k3f9 vjf6 \"Call plumber\"",
       .print = print_outcome,
       .prepare = [](const Context&, Json& request) { request["outcome"] = "success"; },
       .on_outcome = true},
      {.operation = "outcome",
       .does = "Say that tasks were tried and failed, and why: all of them are taken, or none",
       .command = "fail",
       .arguments = {{"id"}, kOthers},
       .takes = {"because", "token", "agent", "outcome_id"},
       .example = "  hebb fail k3f9 --because \"the new tap leaks\"\n  hebb fail k3f9 vjf6",
       .print = print_outcome,
       .prepare = [](const Context&, Json& request) { request["outcome"] = "failure"; },
       .on_outcome = true},
      {.operation = "add", .print = print_written},
      {.operation = "edit", .print = print_written},
      {.operation = "edit",
       .does = "Put tasks off: they are not ranked before that time, and that is no failure",
       .command = "snooze",
       .arguments = {{"id"}, kOthers, {"snoozed_until", "UNTIL,--until", false}},
       .takes = {"because"},
       .example = "  hebb snooze k3f9 monday\n  hebb snooze k3f9 vjf6 monday\n"
                  "  hebb snooze k3f9 2h --because \"CI is down\"\n"
                  "  hebb edit k3f9 --unset snoozed_until   # no longer",
       .print = print_written,
       .prepare = take_until},
      {.operation = "edit",
       .does = "Keep tasks above all that are not pinned",
       .command = "pin",
       .arguments = {{"id"}, kOthers},
       .example = "  hebb pin k3f9",
       .print = print_written,
       .prepare = [](const Context&, Json& request) { request["pinned"] = true; }},
      {.operation = "edit",
       .does = "Give tasks the place again that they earn",
       .command = "unpin",
       .arguments = {{"id"}, kOthers},
       .example = "  hebb unpin k3f9",
       .print = print_written,
       .prepare = [](const Context&, Json& request) { request["unset"] = {"pinned"}; }},
      {.operation = "delete", .print = print_deleted},
      {.operation = "show", .print = print_tasks},
      {.operation = "list",
       .print = print_list,
       .prepare = prepare_list,
       .options =
           [](CLI::App& command, Context& context) {
             std::vector<std::string> formats = api::runner_names();
             formats.insert(formats.begin(), "table");
             add_format(command, context, "table", formats,
                        "table, or as a test runner takes tests, to run or to skip them: " +
                            fmt::format("{}", fmt::join(api::runner_names(), ", ")));
           }},
      {.operation = "recalibrate", .print = print_recalibration},
  };
}

}  // namespace hebb::cli
