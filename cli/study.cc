// hebb backtest
#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "api/values.h"
#include "cli/commands.h"
#include "cli/operation_command.h"

namespace hebb::cli {

namespace {

using Scores = std::span<const Json>;  // of one history

std::vector<std::string> rankings_of(Scores scores) {
  std::vector<std::string> rankings;
  for (const Json& s : scores) {
    if (rankings.empty() || rankings.back() != text(s, "ranking"))
      rankings.push_back(text(s, "ranking"));
  }
  return rankings;
}

// The moment at which a protocol asks, in words.
constexpr std::pair<std::string_view, std::string_view> kAsked[] = {
    {"A", "at completion"}, {"A1h", "an hour old"}, {"B", "a day old"}, {"C", "the next one"}};

std::string_view when_asked(std::string_view protocol) {
  for (const auto& [name, when] : kAsked)
    if (name == protocol) return when;
  return protocol;
}

// The mean MRR of a ranking, over the protocols with queries.
double mean_mrr(Scores scores, const std::string& ranking) {
  double sum = 0;
  int asked = 0;
  for (const Json& s : scores) {
    if (text(s, "ranking") != ranking || whole(s, "queries") == 0) continue;
    sum += number(s, "mrr");
    ++asked;
  }
  return sum / asked;
}

std::string cell(const Json& score, const char* measure) {
  return whole(score, "queries") == 0 ? "-" : fmt::format("{:.3f}", number(score, measure));
}

void print_table(const Context& context, Scores scores) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& ranking : rankings_of(scores)) {
    std::vector<std::string> row{ranking};
    for (const Json& s : scores) {
      if (text(s, "ranking") == ranking) row.push_back(cell(s, "mrr"));
    }
    row.push_back(fmt::format("{:.3f}", mean_mrr(scores, ranking)));
    for (const Json& s : scores) {
      if (text(s, "ranking") != ranking || text(s, "protocol") != "A1h") continue;
      for (const char* measure : {"hit3", "hit10", "ndcg10"}) row.push_back(cell(s, measure));
    }
    for (const Json& s : scores) {
      if (text(s, "ranking") == ranking && text(s, "protocol") == "A")
        row.push_back(cell(s, "wrong_first"));
    }
    rows.push_back(std::move(row));
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a[5] < b[5]; });
  context.line(
      "MRR by when it was asked; hit@3, hit@10 and NDCG@10 of tasks an hour old; how often a P0 or "
      "what is overdue did not go first, at completion");
  std::vector<Column> columns{{"ranking"}};
  for (const auto& [protocol, when] : kAsked) columns.push_back({std::string(when), true});
  for (const auto* name : {"mean", "hit@3", "hit@10", "ndcg@10", "not first"})
    columns.push_back({name, true});
  context.table(columns, rows);
  std::vector<std::string> queries;
  for (const Json& s : scores) {
    if (s["ranking"] == scores.front()["ranking"])
      queries.push_back(fmt::format("{} {}", when_asked(text(s, "protocol")), whole(s, "queries")));
  }
  context.line(fmt::format("queries: {}", fmt::join(queries, ", ")));
}

// Each ranking's mean in each history, and the mean of these means.
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
  for (const auto& scores : histories) columns.push_back({text(scores.front(), "history"), true});
  columns.push_back({"mean", true});
  context.line("");
  context.line("mean MRR by history");
  context.table(columns, rows);
}

// How often tasks succeed, by their foreseen chance.
void print_chances(const Context& context, const Json& chances) {
  std::vector<std::string> fifths;
  for (const Json& fifth : list(chances, "reliability")) {
    if (whole(fifth, "outcomes") > 0)
      fifths.push_back(fmt::format("{:.2f} {:.2f} ({})", number(fifth, "foreseen"),
                                   number(fifth, "succeeded"), whole(fifth, "outcomes")));
  }
  context.wrapped_line(
      fmt::format("chances of {}: Brier score {:.3f}, of the base rate {:.3f}; foreseen and "
                  "succeeded: {}",
                  counted(whole(chances, "outcomes"), "outcome"), number(chances, "brier"),
                  number(chances, "base_brier"), fmt::join(fifths, ", ")),
      4);
}

void print_backtest(const Context& context, const Json& request, const Json& result) {
  // Every history has the same rankings and protocols.
  const std::vector<Json> scores = list(result, "scores");
  const std::size_t files = list(request, "files").size(), of_one = scores.size() / files;
  std::vector<Scores> histories;
  for (std::size_t i = 0; i < files; ++i)
    histories.push_back(Scores(scores).subspan(i * of_one, of_one));
  for (std::size_t i = 0; i < histories.size(); ++i) {
    if (i > 0) context.line("");
    if (histories.size() > 1) context.line(text(histories[i].front(), "history"));
    print_table(context, histories[i]);
    print_chances(context, list(result, "chances")[i]);
  }
  if (histories.size() > 1) print_means(context, histories);
}

}  // namespace

Views study_views() {
  return {
      {.operation = "backtest", .print = print_backtest},
  };
}

}  // namespace hebb::cli
