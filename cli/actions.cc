// hebb actions: sequences, prune, score, scrub, export
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "capture/actions/export.h"
#include "capture/actions/score.h"
#include "capture/actions/scrub.h"
#include "capture/actions/store.h"
#include "cli/commands.h"
#include "cli/time_option.h"

namespace hebb::cli {

namespace {

Json number_or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json(nullptr);
}

struct SequencesOptions {
  std::string since;
  std::optional<double> min_success_rate;
  std::int64_t limit = 20;
};

void print_sequences(const Context& context, const SequencesOptions& options) {
  sql::Database db = context.open_tables(Context::Access::read);
  capture::SequenceQuery query;
  if (!options.since.empty()) query.since = parse_since(context, options.since);
  if (options.min_success_rate && std::isnan(*options.min_success_rate)) {
    throw Stop(kUsage, "--min-success-rate is no number");
  }
  query.min_success_rate = options.min_success_rate;
  query.limit = options.limit;
  const auto sequences = capture::list_sequences(db, query);
  if (context.json) {
    Json list = Json::array();
    for (const auto& s : sequences) {
      list.push_back({{"sequence_id", s.sequence_id},
                      {"agent_id", s.agent_id},
                      {"session_id", s.session_id},
                      {"app_name", s.app_name.empty() ? Json(nullptr) : Json(s.app_name)},
                      {"started_at", s.started_at},
                      {"duration_ms", s.duration_ms},
                      {"calls", s.calls},
                      {"succeeded", s.succeeded},
                      {"success_rate", s.success_rate},
                      {"tools", s.tools},
                      {"reward", number_or_null(s.reward)}});
    }
    return context.print_json(list);
  }
  std::vector<std::vector<std::string>> rows;
  for (const auto& s : sequences) {
    rows.push_back({format_time(s.started_at), s.sequence_id, s.app_name,
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

// Deletes calls that are older than --older-than, or else than the policy's recorder.keep_days.
void prune(const Context& context, const std::string& older_than) {
  sql::Database db = context.open_tables(Context::Access::write);
  const double keep_ms =
      older_than.empty() ? context.open(Context::Access::read).state().policy().recorder_keep_days *
                               reward::kMsPerDay
                         : static_cast<double>(parse_duration_ms(older_than));
  const std::int64_t until = context.now() - static_cast<std::int64_t>(keep_ms);
  const std::int64_t pruned = capture::prune_actions(db, until);
  if (context.json) return context.print_json({{"pruned", pruned}});
  context.report(fmt::format("pruned {} calls from before {}", pruned, format_time(until)));
}

void score(const Context& context) {
  sql::Database db = context.open_tables(Context::Access::write);
  Engine engine = context.open(Context::Access::write);
  const capture::ScoreReport r = capture::score_actions(db, engine, context.now());
  engine.sync();
  if (context.json) {
    return context.print_json({{"sequences", r.sequences},
                               {"changed", r.changed},
                               {"navigated", r.navigated},
                               {"failed", r.failed},
                               {"links", r.links},
                               {"duplicates", r.duplicates},
                               {"skipped", r.skipped}});
  }
  const std::string known =
      r.duplicates > 0 ? fmt::format(", {} known before", r.duplicates) : std::string();
  const std::string skipped =
      r.skipped > 0 ? fmt::format(", {} about what gc forgot since", r.skipped) : std::string();
  context.report(
      fmt::format("scored {} sequences: {} changed something, {} only navigated, {} failed; {} "
                  "links reinforced{}{}",
                  r.sequences, r.changed, r.navigated, r.failed, r.links, known, skipped));
}

// Warns if the old bytes are still in the file because another process has it open.
void scrub(const Context& context) {
  sql::Database db = context.open_tables(Context::Access::write);
  const capture::ScrubReport r = capture::scrub_actions(db);
  if (context.json) {
    context.print_json({{"sessions", r.sessions},
                        {"calls", r.calls},
                        {"changed", r.changed},
                        {"erased", r.erased}});
  } else {
    context.report(fmt::format("looked at {} calls of {} sessions: {} had secrets, masked now",
                               r.calls, r.sessions, r.changed));
  }
  if (!r.erased) {
    throw Stop(kTryAgain,
               fmt::format("{} is open elsewhere, and its -wal still holds what was there before; "
                           "run `hebb actions scrub` again when the others have ended",
                           context.db_path()));
  }
}

struct ExportOptions {
  std::string format = "jsonl";
  std::string since, sequence, session;
};

void export_log(const Context& context, const ExportOptions& options) {
  capture::ActionQuery query;
  if (!options.since.empty()) query.since = parse_since(context, options.since);
  if (!options.sequence.empty()) query.sequence_id = options.sequence;
  if (!options.session.empty()) query.session_id = options.session;
  sql::Database db = context.open_tables(Context::Access::read);
  capture::ActionSource source(db, std::move(query));
  for (const auto& format : capture::export_formats()) {
    if (format.name == options.format)
      format.write(source, [&](std::string_view text) { context.data(text); });
  }
}

void add_export(CLI::App& app, Context& context) {
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* command =
      add_command(app, context, "export", "Recorded calls in another format",
                  "  hebb actions export --format jsonl > train.jsonl\n"
                  "  hebb actions export --format otlp | while IFS= read -r request; do\n"
                  "    printf %s \"$request\" | curl --json @- localhost:4318/v1/traces; done\n"
                  "  hebb actions export --format playwright > test.mjs && node --test test.mjs\n",
                  [&context, options] { export_log(context, *options); });
  std::vector<std::string> names;
  for (const auto& format : capture::export_formats()) names.emplace_back(format.name);
  command->add_option("--format", options->format, "The format")
      ->check(CLI::IsMember(names))
      ->capture_default_str();
  command->add_option("--since", options->since,
                      "Only calls from then on: 7d, an RFC 3339 time, or epoch ms");
  command->add_option("--sequence", options->sequence, "Only this sequence");
  command->add_option("--session", options->session, "Only this session");
}

}  // namespace

void add_actions(CLI::App& app, Context& context) {
  CLI::App* actions = add_command(app, context, "actions", "What `hebb record` recorded",
                                  "  hebb actions sequences --since 7d --min-success-rate 0.5\n"
                                  "  hebb actions score && hebb actions export --format jsonl\n",
                                  nullptr);
  actions->require_subcommand(1);
  const auto list = std::make_shared<SequencesOptions>();
  CLI::App* sequences = add_command(*actions, context, "sequences",
                                    "Turns: calls that were in flight together, newest first",
                                    "  hebb actions sequences --limit 5 --json\n",
                                    [&context, list] { print_sequences(context, *list); });
  sequences->add_option("--since", list->since,
                        "Begun from then on: 7d, an RFC 3339 time, or epoch ms");
  sequences
      ->add_option("--min-success-rate", list->min_success_rate,
                   "At least this share of its calls succeeded")
      ->check(CLI::Range(0.0, 1.0));
  sequences->add_option("--limit", list->limit, "How many at most")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
      ->capture_default_str();
  const auto age = std::make_shared<std::string>();
  add_command(*actions, context, "prune", "Delete calls that are old enough",
              "  hebb actions prune\n  hebb actions prune --older-than 36h\n"
              "  hebb policy set recorder.keep_days=30   # without the option\n",
              [&context, age] { prune(context, *age); })
      ->add_option("--older-than", *age,
                   "The age: 14d, 12h (default: the policy's recorder.keep_days)");
  add_command(*actions, context, "score",
              "Reward what changed something, and reinforce tool -> node edges",
              "  hebb actions score\n", [&context] { score(context); });
  add_command(*actions, context, "scrub",
              "Mask the secrets in what is stored already, and write the file anew without them",
              "  hebb actions scrub\n", [&context] { scrub(context); });
  add_export(*actions, context);
}

}  // namespace hebb::cli
