// hebb actions: sequences, prune, score, scrub, export
#include "api/actions.h"

#include <memory>

#include <fmt/format.h>

#include "api/counted.h"
#include "cli/choice.h"
#include "cli/commands.h"
#include "cli/operation_command.h"

namespace hebb::cli {

namespace {

void print_sequences(const Context& context, const api::ActionsSequencesResult& result) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& s : result.sequences) {
    rows.push_back({format_time(s.started_at.ms), s.sequence_id, s.app_name.value_or(""),
                    fmt::format("{}/{}", s.succeeded, s.calls),
                    fmt::format("{:.0f}", s.duration_ms),
                    s.reward ? fmt::format("{:.3f}", *s.reward) : "-", s.tools});
  }
  context.table({{"started", false},
                 {"sequence", false},
                 {"server", false},
                 {"ok", true},
                 {"ms", true},
                 {"reward", true},
                 {"tools", false, true}},
                rows);
}

void add_sequences(CLI::App& actions, Context& context) {
  using api::ActionsSequencesRequest, api::ActionsSequencesResult;
  add_operation<ActionsSequencesRequest, ActionsSequencesResult>(
      actions, context,
      {"actions_sequences", api::actions_sequences,
       [](const Context& c, const ActionsSequencesRequest&, const ActionsSequencesResult& result) {
         print_sequences(c, result);
       }});
}

void add_prune(CLI::App& actions, Context& context) {
  using api::ActionsPruneRequest, api::ActionsPruneResult;
  add_operation<ActionsPruneRequest, ActionsPruneResult>(
      actions, context,
      {"actions_prune", api::actions_prune,
       [](const Context& c, const ActionsPruneRequest&, const ActionsPruneResult& result) {
         c.report(fmt::format("pruned {} from before {}", counted(result.pruned, "call"),
                              format_time(result.until.ms)));
       }});
}

void print_scores(const Context& context, const api::ActionsScoreResult& r) {
  const std::string known =
      r.duplicates > 0 ? fmt::format(", {} known before", r.duplicates) : std::string();
  const std::string skipped =
      r.skipped > 0 ? fmt::format(", {} about what gc forgot since", r.skipped) : std::string();
  context.report(fmt::format(
      "scored {}: {} changed something, {} only navigated, {} failed; {} reinforced{}{}",
      counted(r.sequences, "sequence"), r.changed, r.navigated, r.failed, counted(r.links, "link"),
      known, skipped));
}

void add_score(CLI::App& actions, Context& context) {
  using api::ActionsScoreRequest, api::ActionsScoreResult;
  add_operation<ActionsScoreRequest, ActionsScoreResult>(
      actions, context,
      {"actions_score", api::actions_score,
       [](const Context& c, const ActionsScoreRequest&, const ActionsScoreResult& result) {
         print_scores(c, result);
       }});
}

// The old bytes stay readable in the file as long as somebody else has it open.
void add_scrub(CLI::App& actions, Context& context) {
  using api::ActionsScrubRequest, api::ActionsScrubResult;
  add_operation<ActionsScrubRequest, ActionsScrubResult>(
      actions, context,
      {"actions_scrub",
       api::actions_scrub,
       [](const Context& c, const ActionsScrubRequest&, const ActionsScrubResult& r) {
         c.report(fmt::format("looked at {} of {}: {} had secrets, masked now",
                              counted(r.calls, "call"), counted(r.sessions, "session"), r.changed));
       },
       {},
       [](const Context& c, const ActionsScrubRequest&, const ActionsScrubResult& r) {
         if (r.erased) return;
         throw Stop(kTryAgain,
                    fmt::format("{} is open elsewhere, and its -wal still holds what was there "
                                "before; run `hebb actions scrub` again when the others have "
                                "ended",
                                c.db_path()));
       }});
}

void add_log_export(CLI::App& actions, Context& context) {
  const auto request = std::make_shared<api::ActionsExport>();
  const auto run = [&context, request] {
    CommandSession session(context);
    with_options({}, [&] {
      api::actions_export(session, *request, [&](std::string_view text) { context.data(text); });
    });
  };
  CLI::App* command =
      add_command(actions, context, "export", "Recorded calls in another format",
                  "  hebb actions export --format jsonl > train.jsonl\n"
                  "  hebb actions export --format otlp | while IFS= read -r request; do\n"
                  "    printf %s \"$request\" | curl --json @- localhost:4318/v1/traces; done\n"
                  "  hebb actions export --format playwright --session monday > monday.spec.mjs\n"
                  "  npx playwright test monday.spec.mjs\n",
                  run);
  command->add_option("--format", request->format, "The format")
      ->check(one_of(api::actions_export_formats()))
      ->capture_default_str();
  command->add_option("--since", request->since,
                      "Only calls from then on: 7d, an RFC 3339 time, or epoch ms");
  command->add_option("--sequence", request->sequence, "Only this sequence");
  command->add_option("--session", request->session, "Only this session");
}

}  // namespace

void add_actions(CLI::App& app, Context& context) {
  CLI::App* actions = add_command(app, context, "actions", "What `hebb record` recorded",
                                  "  hebb actions sequences --since 7d --min-success-rate 0.5\n"
                                  "  hebb actions score && hebb actions export --format jsonl\n",
                                  nullptr);
  actions->require_subcommand(1);
  add_sequences(*actions, context);
  add_prune(*actions, context);
  add_score(*actions, context);
  add_scrub(*actions, context);
  add_log_export(*actions, context);
}

}  // namespace hebb::cli
