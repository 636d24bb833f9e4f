#include "api/actions.h"

#include <fmt/format.h>

#include "api/common.h"
#include "capture/actions/export.h"
#include "capture/actions/score.h"
#include "capture/actions/scrub.h"
#include "capture/actions/store.h"
#include "skill/capture/session.h"
#include "skill/format/format.h"

namespace hebb::capture {

RECORD(Sequence, FIELD(sequence_id, "Its id"), FIELD(agent_id, "Who called"),
       FIELD(session_id, "In which session"),
       FIELD(app_name, "The server that was called", {.may_be_absent = true}),
       FIELD_AS(Time, started_at, "When the first call was made"),
       FIELD(duration_ms, "From the first request to the last answer", {.unit = "ms"}),
       FIELD(calls, "How many"), FIELD(succeeded, "How many of them succeeded"),
       FIELD(success_rate, "Their share"),
       FIELD(tools, "What was called, in order, separated by commas"),
       FIELD(reward, "Once it is scored"))

RECORD(ScoreReport, FIELD(sequences, "How many were scored now"),
       FIELD(changed, "How many of them changed something"),
       FIELD(navigated, "How many only navigated"), FIELD(failed, "How many failed"),
       FIELD(links, "How many times an edge was reinforced"),
       FIELD(duplicates, "How many links an earlier run had added"),
       FIELD(skipped, "How many were about nodes that gc has forgotten since"))

RECORD(ScrubReport, FIELD(sessions, "How many were looked at"),
       FIELD(calls, "How many calls were looked at"),
       FIELD(changed, "In how many calls a secret was masked now"),
       FIELD(erased, "The old bytes are gone; false where another program has the database open"))

}  // namespace hebb::capture

namespace hebb::api {

namespace {

constexpr std::string_view kPlaywright = "playwright";

// A test for each session that drove a browser; one session at a time is in memory.
void export_playwright(capture::ActionSource& source,
                       const std::function<void(std::string_view)>& sink) {
  bool any = false;
  source.each_session([&](std::span<const capture::ActionRow> rows) {
    const skill::CapturedSession captured = skill::capture_session(rows);
    if (captured.steps.empty() && captured.left_out.empty()) return;
    sink(any ? "\n" : skill::playwright_head(nullptr));
    any = true;
    const skill::Artifact artifact = skill::session_artifact(captured);
    const capture::ActionRow& first = rows.front();
    const std::string title =
        fmt::format("{} of {} with {}", first.session_id, first.agent_id, first.app_name);
    sink(skill::playwright_test({title, "", &artifact, nullptr}));
  });
  // A file without a test would never fail.
  if (!any) throw Problem(ProblemType::conflict, "no recorded session drove a browser");
}

}  // namespace

// --- sequences -----------------------------------------------------------------------------------

struct ActionsSequencesRequest {
  std::optional<Time> since;
  std::optional<double> min_success_rate;
  std::int64_t limit = 20;
};
RECORD(ActionsSequencesRequest,
       FIELD(since, "Begun from then on: 7d, yesterday, a time", {.past = true}),
       FIELD(min_success_rate, "At least this share of its calls succeeded", {.min = 0, .max = 1}),
       FIELD(limit, "How many at most", {.min = 1, .max = 1e12}))

struct ActionsSequencesResult {
  std::vector<capture::Sequence> sequences;
};
RECORD(ActionsSequencesResult, FIELD(sequences, "Newest first"))

static ActionsSequencesResult actions_sequences(Session& session,
                                                const ActionsSequencesRequest& request) {
  capture::SequenceQuery query;
  query.since = request.since;
  query.min_success_rate = request.min_success_rate;
  query.limit = request.limit;
  query.count_bytes = room_for_rows(session);
  return {capture::list_sequences(session.tables(Access::read), query)};
}

// --- prune ---------------------------------------------------------------------------------------

struct ActionsPruneRequest {
  std::optional<Duration> older_than;
};
RECORD(ActionsPruneRequest,
       FIELD(older_than, "The age: 14d, 12h (default: the policy's recorder.keep_days)"))

struct ActionsPruneResult {
  std::int64_t pruned = 0;
  Time until;
};
RECORD(ActionsPruneResult, FIELD(pruned, "How many calls"), FIELD(until, "Begun up to then"))

static ActionsPruneResult actions_prune(Session& session, const ActionsPruneRequest& request) {
  sql::Database& db = session.tables(Access::write);
  const double keep_ms =
      request.older_than
          ? static_cast<double>(request.older_than->ms)
          : session.engine(Access::read).state().policy().recorder_keep_days * reward::kMsPerDay;
  ActionsPruneResult result;
  result.until = session.now() - static_cast<TimeMs>(keep_ms);
  result.pruned = capture::prune_actions(db, result.until);
  return result;
}

// --- score ---------------------------------------------------------------------------------------

static capture::ScoreReport actions_score(Session& session, const Nothing&) {
  sql::Database& db = session.tables(Access::write);  // another connection, so opened first
  Engine& engine = session.engine(Access::write);
  const auto report = capture::score_actions(db, engine, session.now());
  engine.sync();
  return report;
}

// --- scrub ---------------------------------------------------------------------------------------

static capture::ScrubReport actions_scrub(Session& session, const Nothing&) {
  return capture::scrub_actions(session.tables(Access::write));
}

// --- export --------------------------------------------------------------------------------------

std::vector<std::string> actions_export_formats() {
  std::vector<std::string> names = names_of(capture::export_formats());
  names.emplace_back(kPlaywright);
  return names;
}

void actions_export(Session& session, const ActionsExport& request,
                    const std::function<void(std::string_view)>& sink) {
  capture::ActionQuery query;
  query.since = request.since;
  if (!request.sequence.empty()) query.sequence_id = request.sequence;
  if (!request.session.empty()) query.session_id = request.session;
  capture::ActionSource source(session.tables(Access::read), std::move(query));
  if (request.format == kPlaywright) return export_playwright(source, sink);
  for (const auto& format : capture::export_formats()) {
    if (format.name == request.format) format.write(source, sink);
  }
}

struct ExportedActions {
  std::string content;
};
RECORD(ExportedActions, FIELD(content, "All of it, in that format"))

static ExportedActions exported_actions(Session& session, const ActionsExport& request) {
  ExportedActions result;
  actions_export(session, request, [&](std::string_view text) { result.content += text; });
  return result;
}

Operations actions_operations() {
  return {
      operation({.name = "actions_sequences",
                 .summary = "Turns: calls that were in flight together, newest first",
                 .example = "  hebb actions sequences --limit 5 --json",
                 .route = "GET /actions/sequences"},
                actions_sequences),
      operation({.name = "actions_prune",
                 .summary = "Delete calls that are old enough",
                 .example = "  hebb actions prune\n  hebb actions prune --older-than 36h\n"
                            "  hebb policy set recorder.keep_days=30   # without the option",
                 .route = "POST /actions/prune",
                 .idempotent = true,
                 .destructive = true},
                actions_prune),
      operation({.name = "actions_score",
                 .summary = "Reward what changed something, and reinforce tool -> node edges",
                 .example = "  hebb actions score",
                 .writes = true,
                 .idempotent = true},
                actions_score),
      operation(
          {.name = "actions_scrub",
           .summary =
               "Mask the secrets in what is stored already, and write the file anew without them",
           .example = "  hebb actions scrub",
           .writes = true,
           .idempotent = true,
           .destructive = true},
          actions_scrub),
      operation(
          {.name = "actions_export",
           .summary = "Recorded calls in another format",
           .example =
               "  hebb actions export --format jsonl > train.jsonl\n"
               "  hebb actions export --format otlp | while IFS= read -r request; do\n"
               "    printf %s \"$request\" | curl --json @- localhost:4318/v1/traces; done\n"
               "  hebb actions export --format playwright --session monday > monday.spec.mjs\n"
               "  npx playwright test monday.spec.mjs"},
          exported_actions),
  };
}

}  // namespace hebb::api
