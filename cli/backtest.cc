// hebb backtest, simulate
#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "api/counted.h"
#include "api/study.h"
#include "cli/commands.h"
#include "cli/operation_command.h"

namespace hebb::cli {

namespace {

using api::BacktestRequest, api::BacktestResult, api::BacktestScore;
using api::SimulateRequest, api::SimulateResult;
using Scores = std::span<const BacktestScore>;  // of one history

std::vector<std::string> rankings_of(Scores scores) {
  std::vector<std::string> rankings;
  for (const auto& s : scores) {
    if (rankings.empty() || rankings.back() != s.ranking) rankings.push_back(s.ranking);
  }
  return rankings;
}

// Of a ranking, over the protocols that asked anything.
double mean_mrr(Scores scores, const std::string& ranking) {
  double sum = 0;
  int asked = 0;
  for (const auto& s : scores) {
    if (s.ranking != ranking || s.queries == 0) continue;
    sum += s.mrr;
    ++asked;
  }
  return sum / asked;
}

std::string cell(const BacktestScore& score, double value) {
  return score.queries == 0 ? "-" : fmt::format("{:.3f}", value);
}

void print_table(const Context& context, Scores scores) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& ranking : rankings_of(scores)) {
    std::vector<std::string> row{ranking};
    for (const auto& s : scores) {
      if (s.ranking == ranking) row.push_back(cell(s, s.mrr));
    }
    row.push_back(fmt::format("{:.3f}", mean_mrr(scores, ranking)));
    for (const auto& s : scores) {
      if (s.ranking != ranking || s.protocol != "A1h") continue;
      row.push_back(cell(s, s.hit3));
      row.push_back(cell(s, s.hit10));
      row.push_back(cell(s, s.ndcg10));
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
  std::vector<std::string> queries;
  for (const auto& s : scores) {
    if (s.ranking == scores.front().ranking)
      queries.push_back(fmt::format("{} {}", s.protocol, s.queries));
  }
  context.line(fmt::format("queries: {}", fmt::join(queries, ", ")));
}

// Each ranking's mean in each history, and the mean of those.
void print_means(const Context& context, const std::vector<Scores>& histories) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& ranking : rankings_of(histories.front())) {
    std::vector<std::string> row{ranking};
    double sum = 0;
    for (const auto& scores : histories) {
      const double mean = mean_mrr(scores, ranking);
      row.push_back(fmt::format("{:.3f}", mean));
      sum += mean;
    }
    row.push_back(fmt::format("{:.3f}", sum / static_cast<double>(histories.size())));
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.back() < b.back(); });
  std::vector<Column> columns{{"ranking"}};
  for (const auto& scores : histories) columns.push_back({scores.front().history, true});
  columns.push_back({"mean", true});
  context.line("");
  context.line("mean MRR of the four protocols, by history");
  context.table(columns, rows);
}

// A row for each ordering, a column for each budget, and a table for each file.
void print_napfd(const Context& context, const std::vector<api::NapfdScore>& scores) {
  for (std::size_t i = 0; i < scores.size();) {
    const std::string& history = scores[i].history;
    context.line(
        fmt::format("{}NAPFD by share of a cycle's duration: {}", i > 0 ? "\n" : "", history));
    std::vector<Column> columns{{"ordering"}};
    std::vector<std::vector<std::string>> rows;
    for (; i < scores.size() && scores[i].history == history; ++i) {
      if (rows.empty() || rows.back().front() != scores[i].ordering)
        rows.push_back({scores[i].ordering});
      rows.back().push_back(fmt::format("{:.3f}", scores[i].napfd));
      if (rows.size() == 1) columns.push_back({fmt::format("{} %", scores[i].budget * 100), true});
    }
    context.table(columns, rows);
  }
}

void print_backtest(const Context& context, const BacktestRequest& request,
                    const BacktestResult& result) {
  if (result.napfd) return print_napfd(context, *result.napfd);
  // Every history has the same rankings and protocols.
  const std::size_t of_one = result.scores.size() / request.files.size();
  std::vector<Scores> histories;
  for (std::size_t i = 0; i < request.files.size(); ++i)
    histories.push_back(Scores(result.scores).subspan(i * of_one, of_one));
  for (std::size_t i = 0; i < histories.size(); ++i) {
    if (i > 0) context.line("");
    if (histories.size() > 1) context.line(histories[i].front().history);
    print_table(context, histories[i]);
  }
  if (histories.size() > 1) print_means(context, histories);
}

void print_simulation(const Context& context, const SimulateRequest& request,
                      const SimulateResult& result) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& s : result.scores) {
    if (rows.empty() || rows.back().front() != s.ranking) rows.push_back({s.ranking});
    rows.back().push_back(fmt::format("{:.1f} ±{:.1f}", s.regret, s.standard_error));
  }
  context.line(
      fmt::format("mean regret over {} of {} (successes lost against the best open category)",
                  counted(request.seeds, "seed"), counted(request.steps, "step")));
  context.table({{"ranking"}, {"S1", true}, {"S2", true}, {"S3", true}, {"S4", true}}, rows);
}

}  // namespace

void add_backtest(CLI::App& app, Context& context) {
  add_operation<BacktestRequest, BacktestResult>(app, context,
                                                 {"backtest", api::backtest, print_backtest});
}

void add_simulate(CLI::App& app, Context& context) {
  add_operation<SimulateRequest, SimulateResult>(app, context,
                                                 {"simulate", api::simulate, print_simulation});
}

}  // namespace hebb::cli
