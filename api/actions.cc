#include "api/actions.h"

#include <fmt/format.h>

#include "api/common.h"
#include "api/room.h"
#include "capture/actions/export.h"
#include "capture/actions/score.h"
#include "capture/actions/scrub.h"
#include "capture/actions/store.h"
#include "skill/capture/session.h"
#include "skill/format/format.h"

namespace hebb::api {

namespace {

constexpr std::string_view kPlaywright = "playwright";

// A test for each session that drove a browser, with a session at a time in memory.
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
  // A file without a test would fail nowhere.
  if (!any) throw Problem(ProblemType::conflict, "no recorded session drove a browser");
}

}  // namespace

// --- sequences -----------------------------------------------------------------------------------

const Fields& ActionsSequencesRequest::fields() {
  using R = ActionsSequencesRequest;
  static const Fields kFields = with_presets<R>({
      field("since", &R::since, "Begun from then on: 7d, an RFC 3339 time, or epoch ms"),
      field("min_success_rate", &R::min_success_rate, "At least this share of its calls succeeded",
            {.min = 0, .max = 1}),
      field("limit", &R::limit, "How many at most", {.min = 1, .max = 1e12}),
  });
  return kFields;
}

const Fields& ActionSequence::fields() {
  using R = ActionSequence;
  static const Fields kFields{
      field("sequence_id", &R::sequence_id, "Its id"),
      field("agent_id", &R::agent_id, "Who called"),
      field("session_id", &R::session_id, "In which session"),
      field("app_name", &R::app_name, "The server that was called"),
      field("started_at", &R::started_at, "When the first call was made"),
      field("duration_ms", &R::duration_ms, "From the first request to the last answer",
            {.unit = "ms"}),
      field("calls", &R::calls, "How many"),
      field("succeeded", &R::succeeded, "How many of them succeeded"),
      field("success_rate", &R::success_rate, "Their share"),
      field("tools", &R::tools, "What was called, in order, separated by commas"),
      field("reward", &R::reward, "Once it is scored"),
  };
  return kFields;
}

const Fields& ActionsSequencesResult::fields() {
  static const Fields kFields{
      field("sequences", &ActionsSequencesResult::sequences, "Newest first")};
  return kFields;
}

ActionsSequencesResult actions_sequences(Session& session, const ActionsSequencesRequest& request) {
  capture::SequenceQuery query;
  if (!request.since.empty()) query.since = since_of(session, request.since, "since");
  query.min_success_rate = request.min_success_rate;
  query.limit = request.limit;
  query.took = room_for_rows(session);
  ActionsSequencesResult result;
  for (auto& s : capture::list_sequences(session.tables(Access::read), query)) {
    ActionSequence sequence;
    sequence.sequence_id = std::move(s.sequence_id);
    sequence.agent_id = std::move(s.agent_id);
    sequence.session_id = std::move(s.session_id);
    if (!s.app_name.empty()) sequence.app_name = std::move(s.app_name);
    sequence.started_at = {s.started_at};
    sequence.duration_ms = s.duration_ms;
    sequence.calls = s.calls;
    sequence.succeeded = s.succeeded;
    sequence.success_rate = s.success_rate;
    sequence.tools = std::move(s.tools);
    sequence.reward = s.reward;
    result.sequences.push_back(std::move(sequence));
  }
  return result;
}

Operation actions_sequences_operation() {
  return operation<ActionsSequencesRequest, ActionsSequencesResult>(
      {.name = "actions_sequences",
       .command = "actions sequences",
       .summary = "Turns: calls that were in flight together, newest first",
       .example = "  hebb actions sequences --limit 5 --json",
       .path = "/actions/sequences"},
      actions_sequences);
}

// --- prune ---------------------------------------------------------------------------------------

const Fields& ActionsPruneRequest::fields() {
  static const Fields kFields = with_presets<ActionsPruneRequest>({
      field("older_than", &ActionsPruneRequest::older_than,
            "The age: 14d, 12h (default: the policy's recorder.keep_days)"),
  });
  return kFields;
}

const Fields& ActionsPruneResult::fields() {
  static const Fields kFields{
      field("pruned", &ActionsPruneResult::pruned, "How many calls"),
      field("until", &ActionsPruneResult::until, "Begun up to then"),
  };
  return kFields;
}

ActionsPruneResult actions_prune(Session& session, const ActionsPruneRequest& request) {
  sql::Database& db = session.tables(Access::write);
  const double keep_ms =
      request.older_than
          ? static_cast<double>(request.older_than->ms)
          : session.engine(Access::read).state().policy().recorder_keep_days * reward::kMsPerDay;
  ActionsPruneResult result;
  result.until = {session.now() - static_cast<TimeMs>(keep_ms)};
  result.pruned = capture::prune_actions(db, result.until.ms);
  return result;
}

Operation actions_prune_operation() {
  return operation<ActionsPruneRequest, ActionsPruneResult>(
      {.name = "actions_prune",
       .command = "actions prune",
       .summary = "Delete calls that are old enough",
       .example = "  hebb actions prune\n  hebb actions prune --older-than 36h\n"
                  "  hebb policy set recorder.keep_days=30   # without the option",
       .effect = Effect::writes,
       .path = "/actions/prune",
       .problems = {ProblemType::read_only},
       .idempotent = true,
       .destructive = true},
      actions_prune);
}

// --- score ---------------------------------------------------------------------------------------

const Fields& ActionsScoreRequest::fields() {
  static const Fields kFields{};
  return kFields;
}

const Fields& ActionsScoreResult::fields() {
  using R = ActionsScoreResult;
  static const Fields kFields{
      field("sequences", &R::sequences, "How many were scored now"),
      field("changed", &R::changed, "How many of them changed something"),
      field("navigated", &R::navigated, "How many only navigated"),
      field("failed", &R::failed, "How many failed"),
      field("links", &R::links, "How many times an edge was reinforced"),
      field("duplicates", &R::duplicates, "How many of those were known before"),
      field("skipped", &R::skipped, "How many were about what gc forgot since"),
  };
  return kFields;
}

ActionsScoreResult actions_score(Session& session, const ActionsScoreRequest&) {
  sql::Database& db = session.tables(Access::write);  // a connection of its own, so asked for first
  Engine& engine = session.engine(Access::write);
  const capture::ScoreReport r = capture::score_actions(db, engine, session.now());
  engine.sync();
  return {r.sequences, r.changed, r.navigated, r.failed, r.links, r.duplicates, r.skipped};
}

Operation actions_score_operation() {
  return operation<ActionsScoreRequest, ActionsScoreResult>(
      {.name = "actions_score",
       .command = "actions score",
       .summary = "Reward what changed something, and reinforce tool -> node edges",
       .example = "  hebb actions score",
       .effect = Effect::writes,
       .doors = kCommandLine,
       .problems = {ProblemType::read_only},
       .idempotent = true},
      actions_score);
}

// --- scrub ---------------------------------------------------------------------------------------

const Fields& ActionsScrubRequest::fields() {
  static const Fields kFields{};
  return kFields;
}

const Fields& ActionsScrubResult::fields() {
  using R = ActionsScrubResult;
  static const Fields kFields{
      field("sessions", &R::sessions, "How many were looked at"),
      field("calls", &R::calls, "How many calls were looked at"),
      field("changed", &R::changed, "In how many something was masked now"),
      field("erased", &R::erased,
            "The old bytes are gone; false where another program has the database open"),
  };
  return kFields;
}

ActionsScrubResult actions_scrub(Session& session, const ActionsScrubRequest&) {
  const capture::ScrubReport r = capture::scrub_actions(session.tables(Access::write));
  return {r.sessions, r.calls, r.changed, r.erased};
}

Operation actions_scrub_operation() {
  return operation<ActionsScrubRequest, ActionsScrubResult>(
      {.name = "actions_scrub",
       .command = "actions scrub",
       .summary =
           "Mask the secrets in what is stored already, and write the file anew without them",
       .example = "  hebb actions scrub",
       .effect = Effect::writes,
       .doors = kCommandLine,
       .problems = {ProblemType::read_only},
       .idempotent = true,
       .destructive = true},
      actions_scrub);
}

// --- export --------------------------------------------------------------------------------------

std::vector<std::string> actions_export_formats() {
  std::vector<std::string> names;
  for (const auto& format : capture::export_formats()) names.emplace_back(format.name);
  names.emplace_back(kPlaywright);
  return names;
}

void actions_export(Session& session, const ActionsExport& request,
                    const std::function<void(std::string_view)>& sink) {
  capture::ActionQuery query;
  if (!request.since.empty()) query.since = since_of(session, request.since, "since");
  if (!request.sequence.empty()) query.sequence_id = request.sequence;
  if (!request.session.empty()) query.session_id = request.session;
  capture::ActionSource source(session.tables(Access::read), std::move(query));
  if (request.format == kPlaywright) return export_playwright(source, sink);
  for (const auto& format : capture::export_formats()) {
    if (format.name == request.format) format.write(source, sink);
  }
}

}  // namespace hebb::api
