// hebb actions sequences | prune | score | scrub | export, tools suggest
#include "api/actions.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "api/open.h"
#include "api/values.h"
#include "cli/commands.h"
#include "cli/operation_command.h"

namespace hebb::cli {

namespace {

void print_sequences(const Context& context, const Json&, const Json& result) {
  std::vector<Cells> rows;
  for (const Json& s : list(result, "sequences")) {
    rows.push_back({time(s, "started_at"), text(s, "sequence_id"), text(s, "app_name"),
                    fmt::format("{}/{}", whole(s, "succeeded"), whole(s, "calls")),
                    decimals(s, "duration_ms", 0), decimals(s, "reward", 3), text(s, "tools")});
  }
  context.table({{"started"},
                 {"sequence"},
                 {"server"},
                 {"ok", true},
                 {"ms", true},
                 {"reward", true},
                 {"tools", false, true}},
                rows);
}

void print_scores(const Context& context, const Json&, const Json& r) {
  const auto more = [&](const char* name, const char* what) {
    return whole(r, name) > 0 ? fmt::format(", {} {}", whole(r, name), what) : std::string();
  };
  context.report(fmt::format(
      "scored {}: {} changed something, {} only navigated, {} failed; {} reinforced{}{}",
      counted(whole(r, "sequences"), "sequence"), whole(r, "changed"), whole(r, "navigated"),
      whole(r, "failed"), counted(whole(r, "links"), "link"), more("duplicates", "known before"),
      more("skipped", "about what gc forgot since")));
}

// The old bytes stay in the file while another process has it open.
void end_scrub(const Context& context, const Json&, const Json& r) {
  if (flag(r, "erased")) return;
  throw Stop(
      kTryAgain,
      fmt::format("{} is open elsewhere, and its -wal still holds what was there before; run "
                  "`hebb actions scrub` again when the others have ended",
                  context.shown_db()));
}

// Writes while reading: a log may be long.
void run_log_export(const Context& context, api::Session& session, const Json& asked) {
  if (context.json)
    return context.print_json(api::operation_named("actions_export").call(session, asked));
  api::ActionsExport request;
  const auto& fields = api::fields_of<api::ActionsExport>();
  note_understood(session, fields, asked,
                  api::read_request(fields, asked, &request, session, api::Access::read));
  api::actions_export(session, request, [&](std::string_view text) { context.data(text); });
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kRelations{
    {{"FOLLOWS", "usually next after"},
     {"CO_OCCURS", "at the same time as"},
     {"CONTAINS", "called inside"}}};

void print_tools(const Context& context, const Json& request, const Json& result) {
  const std::vector<Column> columns = {{"rank", true},  {"tool", false, true}, {"count", true},
                                       {"share", true}, {"weight", true},      {"last seen"}};
  const std::string tool = text(request, "tool");
  bool any = false;
  for (const auto& [relation, heading] : kRelations) {
    std::vector<std::vector<std::string>> rows;
    for (const Json& s : list(result, "suggestions")) {
      if (text(s, "relation") != relation) continue;
      rows.push_back({std::to_string(whole(s, "rank")), text(s, "tool"),
                      fmt::format("{:.1f}", number(s, "count")),
                      fmt::format("{:.0f} %", 100 * number(s, "share")),
                      fmt::format("{:.3f}", number(s, "weight")), time(s, "touched_at")});
    }
    if (rows.empty()) continue;
    if (std::exchange(any, true)) context.line("");
    context.line(fmt::format("{} {}:", heading, tool));
    context.table(columns, rows);
  }
  if (!any) context.line("nothing is known to go with " + tool);
  if (const auto faded = whole(result, "faded"); faded > 0) {
    context.note(fmt::format(
        "{} of {} {} faded since, the latest last seen {}; `hebb --now '{}' tools suggest {}` "
        "shows what was known then",
        counted(faded, "link"), tool, faded == 1 ? "has" : "have", time(result, "faded_last_seen"),
        text(result, "faded_last_seen"), tool));
  }
}

}  // namespace

Views actions_views() {
  return {
      {.operation = "actions_sequences", .print = print_sequences},
      {.operation = "actions_prune",
       .print =
           [](const Context& c, const Json&, const Json& r) {
             c.report(fmt::format("pruned {} from before {}", counted(whole(r, "pruned"), "call"),
                                  time(r, "until")));
           }},
      {.operation = "actions_score", .print = print_scores},
      {.operation = "actions_scrub",
       .print =
           [](const Context& c, const Json&, const Json& r) {
             c.report(fmt::format("looked at {} of {}: {} had secrets, masked now",
                                  counted(whole(r, "calls"), "call"),
                                  counted(whole(r, "sessions"), "session"), whole(r, "changed")));
           },
       .end = end_scrub},
      {.operation = "actions_export", .run = run_log_export},
      {.operation = "tools_suggest", .print = print_tools},
  };
}

}  // namespace hebb::cli
