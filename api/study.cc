#include "api/study.h"

#include <fmt/format.h>

#include "api/common.h"
#include "api/files.h"
#include "api/ingest.h"
#include "api/policy.h"
#include "engine/values/counted.h"
#include "study/backtest.h"
#include "study/napfd.h"
#include "study/simulate.h"

namespace hebb::api {

namespace {

template <class S>
Field set_field(std::vector<std::string> S::*member) {
  return field("set", member, "KEY=VALUE: a policy constant for this run (see `hebb policy show`)");
}

}  // namespace

// --- backtest ------------------------------------------------------------------------------------

const Fields& BacktestRequest::fields() {
  using R = BacktestRequest;
  static const Fields kFields = with_presets<R>({
      field("files", &R::files,
            "History logs (NDJSON), as for import; - is stdin. A table each, and the mean",
            {.required = true, .positional = true, .option = "HISTORY", .local = true}),
      field("since", &R::since, "Ask only from this time on: 7d, an RFC 3339 time, or epoch ms",
            {.was = "from"}),
      field("until", &R::until, "Ask only up to this time; likewise"),
      set_field(&R::set),
      field("measure", &R::measure,
            "mrr, of tasks; or napfd, of tests: files are CSV of verdicts, and the policy the "
            "preset `tests` (docs/tests.md)",
            {.choices = {"mrr", "napfd"}}),
      embedder_field(&R::embedder),
      model_field(&R::model),
  });
  return kFields;
}

const Fields& BacktestScore::fields() {
  using R = BacktestScore;
  static const Fields kFields{
      field("history", &R::history, "The file"),
      field("ranking", &R::ranking, "What was compared"),
      field("protocol", &R::protocol, "A, A1h, B or C: when it was asked (docs/backtest.md)"),
      field("queries", &R::queries, "How often it was asked"),
      field("mrr", &R::mrr, "Mean of 1/place of what was done next"),
      field("hit3", &R::hit3, "Share in which it was among the first three"),
      field("hit10", &R::hit10, "Share in which it was among the first ten"),
      field("ndcg10", &R::ndcg10, "Discounted gain of the first ten"),
  };
  return kFields;
}

const Fields& NapfdScore::fields() {
  using R = NapfdScore;
  static const Fields kFields{
      field("history", &R::history, "The file"),
      field("ordering", &R::ordering, "What put the tests in order"),
      field("budget", &R::budget, "The share of a cycle's duration that may be used"),
      field("napfd", &R::napfd, "How early failures are found: the mean of all cycles"),
  };
  return kFields;
}

const Fields& BacktestResult::fields() {
  static const Fields kFields{
      field("scores", &BacktestResult::scores, "By history, ranking and protocol"),
      field("napfd", &BacktestResult::napfd, "Of tests: by file, ordering and budget"),
  };
  return kFields;
}

namespace {

// As an import takes it; what it refuses is left out, and said.
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
  if (!request.since.empty()) options.from = since_of(session, request.since, "since");
  if (!request.until.empty()) options.until = since_of(session, request.until, "until");
  options.settings = parse_settings(request.set, "set");
  options.progress = session.progress("replaying");
  const auto embedder = embedder_of(request.embedder, request.model);
  std::size_t refused = 0;
  study::BacktestHistory history = read_history(session, file, embedder.get());
  study::BacktestResult result = study::backtest(std::move(history.events), options, &refused);
  if (refused > 0) {
    session.note(counted(static_cast<std::int64_t>(refused),
                         "event is left out: it names a node that comes later",
                         "events are left out: they name nodes that come later"));
  }
  if (result.queries.empty()) {
    throw Problem(ProblemType::unreadable,
                  fmt::format("{}: there is nothing to measure: no task was completed in it while "
                              "at least {} were open, after the first {} that were completed",
                              shown_name(file), options.min_candidates, options.min_completed),
                  "files");
  }
  return result;
}

}  // namespace

namespace {

void require_options_of_mrr(const BacktestRequest& request) {
  const bool given = !request.since.empty() || !request.until.empty() ||
                     !request.embedder.empty() || !request.model.empty();
  if (given) {
    throw Problem(ProblemType::invalid_argument,
                  fmt::format("{}, {} and {} are for {} mrr", named("since"), named("until"),
                              named("embedder"), named("measure")),
                  "measure");
  }
}

BacktestResult measure_napfd(Session& session, const BacktestRequest& request) {
  require_options_of_mrr(request);
  study::NapfdOptions options;
  options.settings = parse_settings(request.set, "set");
  options.progress = session.progress("replaying");
  BacktestResult result;
  result.napfd.emplace();
  for (const auto& path : request.files) {
    const std::string name = shown_name(path);
    const FileInput file(path);
    Input input(file.read(), Limits::kInputBytes);
    std::vector<study::Verdict> verdicts;
    try {
      verdicts = study::read_verdicts(input);
    } catch (const UnreadableInput& e) {
      throw UnreadableInput(fmt::format("{}: {}", name, e.what()));
    }
    const auto measured = study::measure_napfd(verdicts, options);
    const auto n = [](auto count) { return static_cast<std::int64_t>(count); };
    session.note(fmt::format(
        "{}: {} of {} in {}, {:.1f} % failed", name, counted(n(measured.verdicts), "verdict"),
        counted(n(measured.tests), "test"), counted(n(measured.cycles), "cycle"),
        100.0 * static_cast<double>(measured.failed) / static_cast<double>(measured.verdicts)));
    for (const auto& s : measured.scores) {
      for (std::size_t b = 0; b < measured.budgets.size(); ++b)
        result.napfd->push_back({name, s.ordering, measured.budgets[b], s.napfd[b]});
    }
  }
  return result;
}

}  // namespace

BacktestResult backtest(Session& session, const BacktestRequest& request) {
  if (request.measure == "napfd") return measure_napfd(session, request);
  BacktestResult result;
  for (const auto& file : request.files) {
    for (const auto& s : replay(session, request, file).scores) {
      const auto protocol = static_cast<std::size_t>(s.protocol);
      result.scores.push_back(
          {shown_name(file), s.ranking, std::string(study::kProtocolNames[protocol]),
           static_cast<std::int64_t>(s.queries), s.mrr, s.hit3, s.hit10, s.ndcg10});
    }
  }
  return result;
}

Operation backtest_operation() {
  return operation<BacktestRequest, BacktestResult>(
      {.name = "backtest",
       .command = "backtest",
       .summary = "Replay a history: would the ranking have put first what was done next?",
       .example = "  hebb backtest examples/neo/history.jsonl\n"
                  "  hebb backtest examples/neo/history.jsonl examples/beads/history.jsonl\n"
                  "  hebb backtest history.jsonl --set recency_exponent=0.5 --json\n"
                  "  hebb backtest --measure napfd examples/iofrol/iofrol.csv",
       .doors = kCommandLine,
       .problems = {ProblemType::unreadable, ProblemType::no_file}},
      backtest);
}

// --- simulate ------------------------------------------------------------------------------------

const Fields& SimulateRequest::fields() {
  using R = SimulateRequest;
  static const Fields kFields = with_presets<R>({
      field("seeds", &R::seeds, "How many worlds to average over", {.min = 1, .max = 100'000}),
      field("steps", &R::steps, "Steps in each", {.min = 1, .max = 1'000'000}),
      field("seed", &R::seed, "The first world's number", {.min = 0}),
      set_field(&R::set),
  });
  return kFields;
}

const Fields& SimulateScore::fields() {
  using R = SimulateScore;
  static const Fields kFields{
      field("ranking", &R::ranking, "What chose"),
      field("scenario", &R::scenario, "S1 to S4: the kind of world (docs/backtest.md)"),
      field("regret", &R::regret, "Successes lost against the best open category, mean"),
      field("standard_error", &R::standard_error, "Of that mean"),
  };
  return kFields;
}

const Fields& SimulateResult::fields() {
  static const Fields kFields{field("scores", &SimulateResult::scores, "By ranking and scenario")};
  return kFields;
}

SimulateResult simulate(Session& session, const SimulateRequest& request) {
  study::SimulateOptions options;
  options.seeds = request.seeds;
  options.steps = request.steps;
  options.first_seed = request.seed;
  options.settings = parse_settings(request.set, "set");
  options.progress = session.progress("simulating");
  SimulateResult result;
  for (const auto& s : study::simulate(options))
    result.scores.push_back({s.ranking, s.scenario, s.regret, s.stderr_});
  return result;
}

Operation simulate_operation() {
  return operation<SimulateRequest, SimulateResult>(
      {.name = "simulate",
       .command = "simulate",
       .summary = "A world with known odds: how many successes does learning cost and bring?",
       .example = "  hebb simulate\n  hebb simulate --seeds 10 --set recency_exponent=0.5",
       .doors = kCommandLine},
      simulate);
}

}  // namespace hebb::api
