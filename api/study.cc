// stats, backtest: what the database holds, and whether the ranking learns.
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/common.h"
#include "api/files.h"
#include "api/ingest.h"
#include "api/operation.h"
#include "api/policy.h"
#include "engine/fold/blocking.h"
#include "engine/study/backtest.h"
#include "engine/study/learning.h"
#include "engine/values/counted.h"

namespace hebb::fields {

template <>
struct Codec<study::Protocol> : Plain<study::Protocol, Kind::text> {
  static Json get(study::Protocol protocol) {
    return study::kProtocolNames[static_cast<std::size_t>(protocol)];
  }
  static void set(study::Protocol&, const Json&) {}  // only in results
};

}  // namespace hebb::fields

namespace hebb::study {

RECORD(Reliability, FIELD(outcomes, "How many"), FIELD(foreseen, "Their mean chance"),
       FIELD(succeeded, "The share that succeeded"))

RECORD(LearningQuery,
       FIELD(last, "With `learning`: how many of the latest completions",
             {.unit = "completions", .min = 1, .max = 1000}),
       FIELD(contexts, "With it: how many labels, those with most outcomes first",
             {.unit = "contexts", .min = 0, .max = 50}),
       FIELD(buckets, "With it: into how many spans of time their outcomes are counted",
             {.unit = "spans", .min = 1, .max = 200}))

RECORD(Foreseen, FIELD(task, "The task that was completed"), FIELD_AS(Time, at, "When it was"),
       FIELD(place, "Where the ranking had put it just before, from 1"),
       FIELD(candidates, "Of how many"),
       FIELD(newest_place, "Where newest first would have put it"))

RECORD(ContextBucket, FIELD_AS(Time, at, "Its end"), FIELD(successes, "Successes within it"),
       FIELD(failures, "Failures within it"),
       FIELD(rate, "The expected share of successes at its end, of outcomes alone"))

RECORD(ContextCurve, FIELD(id, "The label"), FIELD(name, "Its name"),
       FIELD(successes, "Successes of tasks that had it"),
       FIELD(failures, "Failures of tasks that had it"),
       FIELD(buckets, "Spans of equal length, the oldest first"))

RECORD(Learning, FIELD(completions, "How many were looked at: those that were ranked"),
       FIELD(mrr, "The mean of 1 / place; 1: each stood first"),
       FIELD(newest_mrr, "The same of newest first, to compare"),
       FIELD(random_mrr, "What chance would get"),
       FIELD(first_three, "The share of them that stood among the first three"),
       FIELD(foreseen, "Each of them, the oldest first"),
       FIELD(contexts, "Labels and the like, those with most outcomes first"),
       FIELD(successes, "Successes among all outcomes"),
       FIELD(partial, "Partial successes among all outcomes"),
       FIELD(failures, "Failures among all outcomes"))

}  // namespace hebb::study

namespace hebb {

RECORD(CompletedTask, FIELD(id, "The task"), FIELD_AS(Time, at, "When it was completed"))

}  // namespace hebb

namespace hebb::api {

// --- backtest ------------------------------------------------------------------------------------

struct BacktestRequest {
  std::vector<std::string> files;
  std::optional<Time> since, until;
  std::vector<std::string> set;
  EmbedderName vectors;
};
RECORD(BacktestRequest,
       FIELD(files, "History logs (NDJSON), as for import; - is stdin. A table each, and the mean",
             {.required = true, .positional = true, .option = "HISTORY", .local = true}),
       FIELD(since, "Ask only from this time on: 7d, yesterday, a time", {.past = true}),
       FIELD(until, "Ask only up to this time", {.past = true}),
       FIELD(set, "KEY=VALUE: a policy constant for this run (see `hebb policy show`)"),
       part(self.vectors))

struct BacktestScore : study::BacktestScore {
  std::string history;
};
RECORD(
    BacktestScore, FIELD(history, "The file"), FIELD(ranking, "What was compared"),
    FIELD(
        protocol,
        "When it was asked: `A` at completion, `A1h` an hour old, `B` a day old, `C` the next one"),
    FIELD(queries, "How often it was asked"), FIELD(mrr, "Mean of 1/place of what was done next"),
    FIELD(hit3, "Share in which it was among the first three"),
    FIELD(hit10, "Share in which it was among the first ten"),
    FIELD(ndcg10, "Discounted gain of the first ten"),
    FIELD(wrong_first,
          "Share in which the first was neither P0 nor overdue, and one that was had not failed "
          "for a day"))

struct Chances : study::Chances {
  std::string history;
  std::vector<study::Reliability> fifths;
};
RECORD(Chances, FIELD(history, "The file"), FIELD(outcomes, "Of open tasks"),
       FIELD(brier, "Brier score; 0 is best"),
       FIELD(base_brier, "The Brier score of the base rate"),
       field("reliability", self.fifths, "By chance, in fifths"))

struct BacktestResult {
  std::vector<BacktestScore> scores;
  std::optional<std::vector<Chances>> chances;
};
RECORD(BacktestResult, FIELD(scores, "By history, ranking and protocol"),
       FIELD(chances, "By history: how well successes are foreseen"))

namespace {

// Reads a history as an import does; refused events are left out, with a note.
study::BacktestHistory read_history(Session& session, const std::string& path, Embedder* embedder) {
  const std::string name = shown_name(path);
  const FileInput file(path);
  Input input(file.read(), Limits::kInputBytes);
  try {
    auto history = study::import_history(input, name, embedder);
    for (const auto& line : refusal_lines(result_of(history.summary, name))) session.note(line);
    if (history.summary.refused > 0 && history.summary.refused == history.summary.items) {
      throw UnreadableInput("no line of it is one of a history");
    }
    return history;
  } catch (const UnreadableInput& e) {
    throw UnreadableInput(fmt::format("{}: {}", name, e.what()));
  }
}

study::BacktestResult replay(Session& session, const BacktestRequest& request,
                             const std::string& file) {
  study::BacktestOptions options;
  if (request.since) options.from = *request.since;
  if (request.until) options.until = *request.until;
  options.settings = parse_settings(request.set, "set");
  options.progress = session.progress("replaying");
  const auto embedder = embedder_of(request.vectors);
  std::size_t refused = 0;
  study::BacktestHistory history = read_history(session, file, embedder.get());
  study::BacktestResult result = study::backtest(std::move(history.events), options, &refused);
  if (refused > 0) {
    session.note(counted(static_cast<std::int64_t>(refused),
                         "event is left out: it names a node that comes later",
                         "events are left out: they name nodes that come later"));
  }
  if (result.queries.empty()) {
    throw problem(ProblemType::unreadable, "files",
                  "{}: there is nothing to measure: no task was completed in it while at least {} "
                  "were open, after the first {} that were completed",
                  shown_name(file), options.min_candidates, options.min_completed);
  }
  return result;
}

}  // namespace

static BacktestResult backtest(Session& session, const BacktestRequest& request) {
  BacktestResult result;
  for (const auto& file : request.files) {
    const study::BacktestResult replayed = replay(session, request, file);
    for (const auto& score : replayed.scores) result.scores.push_back({score, shown_name(file)});
    const auto& fifths = replayed.chances.reliability;
    if (!result.chances) result.chances.emplace();
    result.chances->push_back({replayed.chances, shown_name(file), {fifths.begin(), fifths.end()}});
  }
  return result;
}

// --- stats ---------------------------------------------------------------------------------------

struct StatsResult : Stats {
  std::string database;
  std::vector<std::string> blocking_cycle;
  std::optional<study::Learning> learning;
};
RECORD(StatsResult, FIELD(database, "Where it is"), FIELD(bytes, "Its size", {.unit = "bytes"}),
       FIELD(events, "Events in the ledger"), FIELD(outcomes, "How many of these are outcomes"),
       FIELD(nodes, "Nodes that exist"), FIELD(open, "How many of these are OPEN"),
       FIELD(candidates,
             "How many of these can be done now: not blocked, not snoozed, and neither a test nor "
             "a skill"),
       FIELD(blocking_cycle, "Tasks that block one another in a ring: none of them can be ranked"),
       FIELD(edges, "Edges"), FIELD(dormant, "How many of these are dormant"),
       FIELD(vectors, "Nodes with a vector"), FIELD(dimension, "How many numbers a vector has"),
       FIELD(embedder, "The embedder that the vectors are from", {.may_be_absent = true}),
       FIELD(dead_letters, "Items that were refused and are kept"),
       FIELD_AS(Time, recalibrated_at, "When it was last recalibrated"),
       FIELD_AS(Time, latest_at, "When the latest event happened"),
       FIELD_AS(Time, copied_at, "When the copy of a ledger on a server was last up to date"),
       FIELD(completed_last, "The tasks completed last, from which nearness is measured"),
       FIELD(learning, "How well the ranking foresaw what was completed, where that was asked for"))

struct StatsRequest : study::LearningQuery {
  bool learning = false;
};
RECORD(StatsRequest,
       FIELD(learning,
             "Also how well the ranking foresaw what was completed, and how labels came out"),
       part<study::LearningQuery>(self))

static StatsResult stats(Session& session, const StatsRequest& request) {
  Engine& engine = session.engine(Access::read);
  StatsResult result{stats_of(engine, session.now()),
                     session.path(),
                     blocking_cycle(engine.state(), session.now()),
                     {}};
  if (request.learning) result.learning = study::learning(engine, request, session.now());
  return result;
}

Operations study_operations() {
  return {
      operation({.name = "stats",
                 .summary = "Counts of what the database holds; how well the ranking foresaw",
                 .example = "  hebb stats\n  hebb stats --learning\n  hebb stats --json",
                 .route = "GET /stats"},
                stats),
      operation(
          {.name = "backtest",
           .summary = "Replay a history: would the ranking have put first what was done next?",
           .example = "  hebb backtest examples/neo/history.jsonl\n"
                      "  hebb backtest examples/neo/history.jsonl examples/beads/history.jsonl\n"
                      "  hebb backtest history.jsonl --set recency_exponent=0.5 --json",
           .problems = {ProblemType::unreadable, ProblemType::no_file}},
          backtest),
  };
}

}  // namespace hebb::api
