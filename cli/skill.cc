// hebb skill record, import, export, show, recall, contract, run
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/values.h"
#include "cli/commands.h"
#include "cli/operation_command.h"

namespace hebb::cli {

namespace {

// --- what there is -------------------------------------------------------------------------------

std::string standing(const Json& skill) {
  if (!flag(skill, "replayable")) return "steps only";
  if (flag(skill, "stale")) return text(skill, "last_failure");
  if (flag(skill, "proven")) return "proven";
  return whole(skill, "runs") == 0 ? "not run yet" : "runs";
}

void print_skills(const Context& context, const Json& result) {
  if (list(result, "skills").empty())
    return context.note("no skills; `hebb skill record` makes one");
  std::vector<std::vector<std::string>> rows;
  for (const Json& s : list(result, "skills")) {
    rows.push_back({text(s, "skill_id"), std::to_string(list(s, "steps").size()), standing(s),
                    fmt::format("{}/{}", whole(s, "successes"), whole(s, "runs")),
                    time(s, "last_run_at")});
  }
  context.table(
      {{"skill", false, true}, {"steps", true}, {"state"}, {"succeeded", true}, {"last run"}},
      rows);
}

std::string chain_of(const Json& step) {
  if (!has(step, "replay_artifact")) return "not captured";
  std::vector<std::string> types;
  for (const Json& selector : list(step["replay_artifact"], "selectors"))
    types.push_back(text(selector, "type"));
  return fmt::format("{}", fmt::join(types, ", "));
}

void print_skill(const Context& context, const Json& s) {
  std::vector<std::pair<std::string, std::string>> fields{{"skill", text(s, "skill_id")},
                                                          {"state", standing(s)}};
  if (has(s, "description")) fields.emplace_back("description", text(s, "description"));
  fields.emplace_back("recorded", time(s, "recorded_at"));
  fields.emplace_back("succeeded",
                      fmt::format("{} of {}, {} in a row", whole(s, "successes"),
                                  counted(whole(s, "runs"), "run"), whole(s, "clean_in_a_row")));
  if (has(s, "contract_id")) fields.emplace_back("contract", text(s, "contract_id"));
  if (has(s, "start_url")) fields.emplace_back("starts at", text(s, "start_url"));
  context.fields(fields);
  std::vector<std::vector<std::string>> rows;
  for (const Json& step : list(s, "steps"))
    rows.push_back({std::to_string(whole(step, "index")), one_line(text(step, "description")),
                    chain_of(step)});
  context.line("");
  context.table({{"step", true}, {"does", false, true}, {"found by"}}, rows);
}

// A table of all skills, or the requested ones in full.
void print_recalled(const Context& context, const Json& request, const Json& result) {
  const bool asked = std::ranges::any_of(
      request.items(), [](const auto& f) { return f.key() != "limit" && f.key() != "stale"; });
  if (!asked) return print_skills(context, result);
  if (list(result, "skills").empty()) throw Stop(kFailed, "no skill is known for that");
  bool any = false;
  for (const Json& s : list(result, "skills")) {
    if (std::exchange(any, true)) context.line("");
    print_skill(context, s);
  }
}

void print_contracts(const Context& context, const Json&, const Json& result) {
  std::vector<std::vector<std::string>> rows;
  for (const Json& contract : list(result, "contracts")) {
    for (const Json& assertion : list(contract, "assertions"))
      rows.push_back({text(contract, "contract_id"), text(assertion, "in_words")});
  }
  if (rows.empty()) return context.note("no contracts; `hebb skill contract set` makes one");
  context.table({{"contract"}, {"holds when there is", false, true}}, rows);
}

// --- what is kept --------------------------------------------------------------------------------

void print_saved(const Context& context, std::string_view done, const Json& saved) {
  for (const std::string& slot : texts(saved, "slots")) {
    context.note(
        fmt::format("the value of {} is a secret and is not kept; give it at run time as "
                    "HEBB_SECRET_{}",
                    slot, slot.substr(slot.rfind(' ') + 1)));
  }
  for (const std::string& note : texts(saved, "notes")) context.note(note);
  const Json& s = saved["skill"];
  context.report(fmt::format("{}{} {}, {}{}", done, flag(saved, "created") ? "" : " anew",
                             text(s, "skill_id"), counted(std::ssize(list(s, "steps")), "step"),
                             flag(s, "replayable") ? "" : ", which cannot be replayed"));
}

// --- runs ----------------------------------------------------------------------------------------

void print_failure(const Context& context, std::string_view before, const Json& f) {
  context.line(fmt::format("{}{} at step {}: {}", before, text(f, "code"), whole(f, "step_index"),
                           text(f, "detail")));
  if (has(f, "evidence_bundle_path")) context.line("evidence: " + text(f, "evidence_bundle_path"));
}

void print_run(const Context& context, const Json& r) {
  for (const Json& s : list(r, "step_results")) {
    const std::string via = text(s, "resolved_via");
    context.report(fmt::format("step {}: {}{}, {} ms", whole(s, "index"),
                               flag(s, "ok") ? "done" : "failed", via.empty() ? "" : " via " + via,
                               whole(s, "elapsed_ms")));
  }
  if (!flag(r, "ok")) return print_failure(context, "", r["failure"]);
  context.line(fmt::format("done: {} of {} in {} ms", whole(r, "steps_executed"),
                           counted(whole(r, "steps_total"), "step"), whole(r, "elapsed_ms")));
}

void print_replay(const Context& context, const Json&, const Json& r) {
  if (!has(r, "runs")) return print_run(context, r);  // else each run was shown when it ended
  if (has(r, "proven"))
    context.line(flag(r, "proven") ? "proven"
                                   : "not proven yet: three clean runs in a row are needed");
}

void fail_unless_ok(const Context&, const Json&, const Json& r) {
  if (!flag(r, "ok")) throw Stop(kFailed, "");
}

}  // namespace

Views skill_views() {
  return {
      {.operation = "skill_replay",
       .print = print_replay,
       .part =
           [](const Context& c, const Json& run) {
             c.report(fmt::format("run {} of {}:", whole(run, "run"), whole(run, "runs")));
             print_run(c, run);
           },
       .end = fail_unless_ok,
       .on_outcome = true},
      {.operation = "contract_set",
       .print =
           [](const Context& c, const Json&, const Json& r) {
             const Json& contract = r["contract"];
             c.report(fmt::format("{} contract {}, {}", flag(r, "created") ? "set" : "replaced",
                                  text(contract, "contract_id"),
                                  counted(std::ssize(list(contract, "assertions")), "assertion")));
           }},
      {.operation = "contract_list", .print = print_contracts},
      {.operation = "skill_record",
       .print = [](const Context& c, const Json&,
                   const Json& saved) { print_saved(c, "recorded", saved); }},
      {.operation = "skill_import",
       .print = [](const Context& c, const Json&,
                   const Json& saved) { print_saved(c, "imported", saved); }},
      {.operation = "skill_get",
       .print = [](const Context& c, const Json&, const Json& r) { print_skill(c, r["skill"]); }},
      {.operation = "skill_recall", .print = print_recalled},
      {.operation = "skill_export",
       .print = [](const Context& c, const Json&, const Json& r) { c.data(text(r, "content")); }},
  };
}

}  // namespace hebb::cli
