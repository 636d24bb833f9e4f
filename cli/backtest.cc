// hebb backtest
#include "study/backtest.h"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/ingest_files.h"
#include "cli/time_option.h"

namespace hebb::cli {

namespace {

struct Options {
  std::string file;
  std::optional<TimeMs> from, until;
  std::vector<std::string> set;
  std::string embedder, model;
};

// As an import takes it; what it refuses is left out, and said.
study::BacktestHistory read_history(const Context& context, const Options& o) {
  const std::string name = o.file == "-" ? "(stdin)" : o.file;
  const auto embedder = embedder_of(o.embedder, o.model);
  const FileInput file(o.file);
  Input input(file.read(), Limits::kInputBytes);
  try {
    auto history = study::import_history(input, name, embedder.get());
    print_refusals(context, history.summary, name);
    if (history.summary.refused > 0 && history.summary.refused == history.summary.items) {
      throw UnreadableInput("no line of it is one of a history");
    }
    return history;
  } catch (const UnreadableInput& e) {
    throw UnreadableInput(fmt::format("{}: {}", name, e.what()));
  }
}

void print_table(const Context& context, const study::BacktestResult& result) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& ranking : result.rankings) {
    std::vector<std::string> row{ranking};
    double sum = 0;
    for (const auto& s : result.scores) {
      if (s.ranking != ranking) continue;
      row.push_back(fmt::format("{:.3f}", s.mrr));
      sum += s.mrr;
    }
    row.push_back(fmt::format("{:.3f}", sum / static_cast<double>(study::kProtocolNames.size())));
    for (const auto& s : result.scores) {
      if (s.ranking == ranking && s.protocol == study::Protocol::a1h) {
        row.push_back(fmt::format("{:.3f}", s.hit3));
        row.push_back(fmt::format("{:.3f}", s.hit10));
        row.push_back(fmt::format("{:.3f}", s.ndcg10));
      }
    }
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a[5] < b[5]; });
  context.line("MRR by protocol; hit@3, hit@10 and NDCG@10 of protocol A1h");
  std::vector<Column> columns{{"ranking"}};
  for (const auto* name : {"A", "A1h", "B", "C", "mean", "hit@3", "hit@10", "ndcg@10"})
    columns.push_back({name, true});
  context.table(columns, rows);
  std::string queries;
  for (const auto& s : result.scores) {
    if (s.ranking != result.rankings.front()) continue;
    queries += fmt::format("{}{} {}", queries.empty() ? "" : ", ",
                           study::kProtocolNames[static_cast<std::size_t>(s.protocol)], s.queries);
  }
  context.line(fmt::format("queries: {}", queries));
}

void run(const Context& context, const Options& o) {
  study::BacktestOptions options;
  if (o.from) options.from = *o.from;
  if (o.until) options.until = *o.until;
  options.settings = parse_settings(o.set);
  ProgressBar progress(context, "replaying");
  options.progress = [&](std::size_t done, std::size_t total) { progress.update(done, total); };
  std::size_t refused = 0;
  study::BacktestHistory history = read_history(context, o);
  const study::BacktestResult result =
      study::backtest(std::move(history.events), options, &refused);
  if (refused > 0) {
    context.note(fmt::format("{} events are left out: they name nodes that come later", refused));
  }
  if (context.json) {
    Json rows = Json::array();
    for (const auto& s : result.scores) {
      rows.push_back({{"ranking", s.ranking},
                      {"protocol", study::kProtocolNames[static_cast<std::size_t>(s.protocol)]},
                      {"queries", s.queries},
                      {"mrr", s.mrr},
                      {"hit3", s.hit3},
                      {"hit10", s.hit10},
                      {"ndcg10", s.ndcg10}});
    }
    context.print_json(rows);
    return;
  }
  print_table(context, result);
}

}  // namespace

void add_backtest(CLI::App& app, Context& context) {
  const auto o = std::make_shared<Options>();
  auto* command =
      add_command(app, context, "backtest",
                  "Replay a history: would the ranking have put first what was done next?",
                  "  hebb backtest examples/neo/history.jsonl\n"
                  "  hebb backtest history.jsonl --set recency_exponent=0.5 --json",
                  [&context, o] { run(context, *o); });
  command->add_option("HISTORY", o->file, "A history log (NDJSON), as for import; - is stdin")
      ->required();
  add_time_option(*command, "--from", o->from, "Ask only from this time on");
  add_time_option(*command, "--until", o->until, "Ask only up to this time");
  command
      ->add_option("--set", o->set,
                   "KEY=VALUE: a policy constant for this run (see `hebb policy show`)")
      ->take_all();
  add_embedder_options(*command, o->embedder, o->model);
}

}  // namespace hebb::cli
