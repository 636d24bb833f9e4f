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
  std::vector<std::string> files;
  std::optional<TimeMs> from, until;
  std::vector<std::string> set;
  std::string embedder, model;
};

std::string name_of(const std::string& path) { return path == "-" ? "(stdin)" : path; }

// Reads a history as an import would. Refused items are left out, with a note.
study::BacktestHistory read_history(const Context& context, const Options& o,
                                    const std::string& path) {
  const std::string name = name_of(path);
  const auto embedder = embedder_of(o.embedder, o.model);
  const FileInput file(path);
  Input input(file.read(), Limits::kInputBytes);
  try {
    auto history = study::import_history(input, name, embedder.get());
    print_refusals(context, api::result_of(history.summary, name));
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

// The mean MRR of a ranking over the four protocols.
double mean_mrr(const study::BacktestResult& result, const std::string& ranking) {
  double sum = 0;
  for (const auto& s : result.scores) sum += s.ranking == ranking ? s.mrr : 0;
  return sum / static_cast<double>(study::kProtocolNames.size());
}

// Each ranking's mean in each history, and the mean of those.
void print_means(const Context& context, const std::vector<std::string>& files,
                 const std::vector<study::BacktestResult>& results) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& ranking : results.front().rankings) {
    std::vector<std::string> row{ranking};
    double sum = 0;
    for (const auto& result : results) {
      const double mean = mean_mrr(result, ranking);
      row.push_back(fmt::format("{:.3f}", mean));
      sum += mean;
    }
    row.push_back(fmt::format("{:.3f}", sum / static_cast<double>(results.size())));
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.back() < b.back(); });
  std::vector<Column> columns{{"ranking"}};
  for (const auto& file : files) columns.push_back({name_of(file), true});
  columns.push_back({"mean", true});
  context.line("");
  context.line("mean MRR of the four protocols, by history");
  context.table(columns, rows);
}

Json result_json(const std::string& file, const study::BacktestResult& result) {
  Json rows = Json::array();
  for (const auto& s : result.scores) {
    rows.push_back({{"history", name_of(file)},
                    {"ranking", s.ranking},
                    {"protocol", study::kProtocolNames[static_cast<std::size_t>(s.protocol)]},
                    {"queries", s.queries},
                    {"mrr", s.mrr},
                    {"hit3", s.hit3},
                    {"hit10", s.hit10},
                    {"ndcg10", s.ndcg10}});
  }
  return rows;
}

study::BacktestResult replay(const Context& context, const Options& o, const std::string& file) {
  study::BacktestOptions options;
  if (o.from) options.from = *o.from;
  if (o.until) options.until = *o.until;
  options.settings = parse_settings(o.set);
  ProgressBar progress(context, "replaying");
  options.progress = [&](std::size_t done, std::size_t total) { progress.update(done, total); };
  std::size_t refused = 0;
  study::BacktestHistory history = read_history(context, o, file);
  study::BacktestResult result = study::backtest(std::move(history.events), options, &refused);
  if (refused > 0) {
    context.note(fmt::format("{} events are left out: they name nodes that come later", refused));
  }
  return result;
}

void run(const Context& context, const Options& o) {
  std::vector<study::BacktestResult> results;
  Json rows = Json::array();
  for (const auto& file : o.files) {
    results.push_back(replay(context, o, file));
    for (auto& row : result_json(file, results.back())) rows.push_back(std::move(row));
  }
  if (context.json) {
    context.print_json(rows);
    return;
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i > 0) context.line("");
    if (results.size() > 1) context.line(name_of(o.files[i]));
    print_table(context, results[i]);
  }
  if (results.size() > 1) print_means(context, o.files, results);
}

}  // namespace

void add_backtest(CLI::App& app, Context& context) {
  const auto o = std::make_shared<Options>();
  auto* command =
      add_command(app, context, "backtest",
                  "Replay a history: would the ranking have put first what was done next?",
                  "  hebb backtest examples/neo/history.jsonl\n"
                  "  hebb backtest examples/neo/history.jsonl examples/beads/history.jsonl\n"
                  "  hebb backtest history.jsonl --set recency_exponent=0.5 --json",
                  [&context, o] { run(context, *o); });
  command
      ->add_option("HISTORY", o->files,
                   "History logs (NDJSON), as for import; - is stdin. A table each, and the mean")
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
