// hebb policy show | set, backup, stats, verify, rebuild, undo, gc, dead-letters, export
#include <fmt/format.h>
#include <unistd.h>

#include "api/policy.h"
#include "api/values.h"
#include "cli/commands.h"
#include "cli/operation_command.h"

namespace hebb::cli {

namespace {

void print_settings(const Context& context, const Json&, const Json& result) {
  if (has(result, "toml")) return context.data(text(result, "toml"));
  for (const auto& [key, value] : result["settings"].items())
    context.line(fmt::format("{} = {}", key, api::setting_text(value)));
}

void print_change(const Context& context, const Json& request, const Json& result) {
  if (has(request, "settings") && !context.quiet) return print_settings(context, request, result);
  const std::string preset = text(request, "preset");
  context.report(fmt::format("{}policy of {} in force",
                             preset.empty() ? "" : fmt::format("preset {}: ", preset),
                             counted(std::ssize(result["settings"]), "value")));
}

void print_stats(const Context& context, const Json&, const Json& s) {
  std::vector<std::string> completed;
  for (const Json& task : list(s, "completed_last"))
    completed.push_back(fmt::format("{}, {}", text(task, "id"), time(task, "at")));
  const auto count = [&](const char* name) { return std::to_string(whole(s, name)); };
  std::vector<std::pair<std::string, std::string>> fields{
      {"database", fmt::format("{} ({})", text(s, "database"), context.place().by)},
      {"size", fmt::format("{:.1f} MB", number(s, "bytes") / 1e6)},
      {"events", count("events")},
      {"outcomes", count("outcomes")},
      {"nodes", count("nodes")},
      {"open", count("open")},
      {"candidates", count("candidates") + " (can be done now)"},
      {"edges", count("edges")},
      {"dormant", count("dormant")},
      {"vectors", whole(s, "vectors") == 0
                      ? "0"
                      : fmt::format("{} of {}, by {}", whole(s, "vectors"),
                                    counted(whole(s, "dimension"), "number"), text(s, "embedder"))},
      {"dead letters", count("dead_letters")},
      {"recalibrated", time(s, "recalibrated_at")},
      {"latest event", time(s, "latest_at")},
      {"completed last",
       completed.empty() ? "nothing" : fmt::format("{}", fmt::join(completed, "; "))}};
  if (has(s, "copied_at")) fields.emplace_back("copy is of", time(s, "copied_at"));
  if (has(s, "learning")) {
    const Json& learning = s["learning"];
    fields.emplace_back(
        "foreseen",
        fmt::format("mean of 1 / place {:.3f} of {} (newest first {:.3f}, by chance {:.3f})",
                    number(learning, "mrr"), counted(whole(learning, "completions"), "completion"),
                    number(learning, "newest_mrr"), number(learning, "random_mrr")));
    for (const Json& label : list(learning, "contexts")) {
      fields.emplace_back(text(label, text(label, "name").empty() ? "id" : "name"),
                          fmt::format("{} succeeded, {} failed", whole(label, "successes"),
                                      whole(label, "failures")));
    }
  }
  context.fields(fields);
  note_blocking_cycle(context, texts(s, "blocking_cycle"));
}

void print_verified(const Context& context, const Json&, const Json& result) {
  for (const auto& problem : texts(result, "problems")) context.line(problem);
  if (flag(result, "ok"))
    context.report(
        "ok: the file and the ledger are whole, and the current tables match the ledger");
}

void end_verify(const Context& context, const Json&, const Json& result) {
  if (flag(result, "ok")) return;
  throw Stop(kFailed,
             fmt::format("{} in {}", counted(std::ssize(list(result, "problems")), "problem"),
                         context.shown_db()));
}

void print_events(const Context& context, const Json&, const Json& result) {
  std::vector<std::vector<std::string>> rows;
  for (const Json& e : list(result, "events")) {
    rows.push_back({std::to_string(whole(e, "event")), time(e, "at"),
                    shortened(text(e, "what")) + (flag(e, "undone") ? "  (undone)" : "")});
  }
  context.table({{"event", true}, {"at"}, {"what", false, true}}, rows);
}

void print_removed(const Context& context, const Json&, const Json& result) {
  const bool dry = flag(result, "dry_run");
  // -q does not silence a dry run, because its list is what the user asked for.
  const auto report = [&](const std::string& line) {
    dry ? context.line(line) : context.report(line);
  };
  for (const Json& e : list(result, "edges")) report("edge " + edge_text(e));
  for (const auto& n : texts(result, "nodes")) report("node " + n);
  report(fmt::format("{} and {} {}", counted(std::ssize(list(result, "edges")), "dormant edge"),
                     counted(std::ssize(list(result, "nodes")), "orphaned node"),
                     dry ? "would be removed" : "removed; the ledger knows them still"));
  if (const auto first = whole(result, "first_event"); first != 0)
    report(fmt::format("`hebb undo {} --last {}` brings them back", first,
                       whole(result, "last_event")));
}

void print_undone(const Context& context, const Json&, const Json& result) {
  const auto last = whole(result, "last");
  context.report(fmt::format(
      "undone: event {}{}, {} {} of {}; `hebb undo {}` brings it back", whole(result, "event"),
      last == 0 ? "" : fmt::format(" and all up to {}", last), text(result, "kind"),
      text(result, "subject"), time(result, "at"), whole(result, "undone_by")));
}

void print_dead_letters(const Context& context, const Json&, const Json& result) {
  print_rows(
      context, list(result, "dead_letters"),
      {{"id", true},
       {"reason"},
       {"where", false, true},
       {"detail", false, true},
       {"text", false, true}},
      [](const Json& letter) -> Cells {
        return {std::to_string(whole(letter, "id")), text(letter, "reason"),
                fmt::format("{}:{}", text(letter, "file"), whole(letter, "line")),
                shortened(text(letter, "detail")), shortened(text(letter, "text"))};
      },
      "no dead letters");
  if (has(result, "next"))
    context.note(
        fmt::format("there are more; --after {} goes on with them", whole(result, "next")));
}

void end_retry(const Context& context, const Json&, const Json& result) {
  note_refusals(context, result);
  const auto refused = whole(result, "refused");
  if (refused == 0) return;
  throw Stop(kSomeRefused, fmt::format("{} of {} {} refused still, and kept", refused,
                                       whole(result, "items"), refused == 1 ? "is" : "are"));
}

// Prints what --salvage left out.
void name_damage(api::Session& session, const std::vector<std::string>& damage) {
  for (const std::string& what : damage) session.note("left out: " + what);
  if (!damage.empty())
    throw Stop(
        kSomeRefused,
        "what is damaged, and what depends on it, is not in the log; `hebb import` takes the rest");
}

// Without a FILE it writes to standard output, unless that is a terminal.
void run_export(const Context& context, api::Session& session, const Json& request) {
  const std::string file = text(request, "file");
  if (file.empty() && ::isatty(STDOUT_FILENO) != 0) {
    throw Stop(kUsage,
               "no file is named, and standard output is a terminal: give `hebb export FILE`, or "
               "`hebb export -` to see it here");
  }
  if (file.empty() || file == "-") {
    const auto write = [&](std::string_view line) { context.data(line); };
    return name_damage(
        session, export_log(session.engine(api::Access::read), write, flag(request, "salvage")));
  }
  const Json result = api::operation_named("export").call(session, request);
  if (context.json) {
    context.print_json(result);
  } else {
    context.report(
        fmt::format("{} exported to {}", counted(whole(result, "events"), "event"), file));
  }
  name_damage(session, texts(result, "damage"));
}

}  // namespace

Views upkeep_views() {
  return {
      {.operation = "policy_get",
       .print = print_settings,
       .prepare = [](const Context& c,
                     Json& request) { request["as_toml"] = !has(request, "keys") && !c.json; }},
      {.operation = "policy_set", .print = print_change},
      {.operation = "backup",
       .print =
           [](const Context& c, const Json&, const Json& result) {
             c.report(
                 fmt::format("{}: {:.1f} MB", text(result, "file"), number(result, "bytes") / 1e6));
           }},
      {.operation = "move",
       .print =
           [](const Context& c, const Json&, const Json& r) {
             c.report(fmt::format("{} events, checksum {}; from now on name {}", whole(r, "events"),
                                  text(r, "checksum"), text(r, "to")));
           }},
      {.operation = "rescue",
       .print =
           [](const Context& c, const Json&, const Json& r) {
             c.report(
                 fmt::format("{} events after {} are in {}; {} claims and undos are not; the "
                             "copy is made anew",
                             whole(r, "events"), whole(r, "same_until"), text(r, "file"),
                             whole(r, "left_out")));
           }},
      {.operation = "stats", .print = print_stats},
      {.operation = "verify", .print = print_verified, .end = end_verify},
      {.operation = "rebuild",
       .print =
           [](const Context& c, const Json&, const Json& r) {
             c.report("the tables are rebuilt from " + counted(whole(r, "events"), "event"));
           }},
      {.operation = "events",
       .does = "Undo an event (it stays in the ledger, marked); without EVENT, list the latest",
       .print = print_events},
      {.operation = "undo", .print = print_undone},
      {.operation = "gc", .print = print_removed},
      {.operation = "dead_letters_list", .print = print_dead_letters},
      {.operation = "dead_letters_retry",
       .print = [](const Context& c, const Json&, const Json& result) { print_sums(c, result); },
       .end = end_retry,
       .on_outcome = true},
      {.operation = "dead_letters_drop",
       .print = [](const Context& c, const Json&,
                   const Json& r) { c.report(fmt::format("{} dropped", whole(r, "dropped"))); }},
      {.operation = "export", .run = run_export},
  };
}

}  // namespace hebb::cli
