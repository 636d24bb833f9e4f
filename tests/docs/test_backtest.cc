// The figures in docs/backtest.md and README.md against runs of the program.
#include <cmath>
#include <map>
#include <string>

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "study/simulate.h"
#include "tests/docs/page.h"

using hebb::test::Page;
using hebb::test::Shell;
using hebb::test::Table;

namespace {

Table table_with(const Page& page, const std::string& column) {
  for (const Table& table : page.tables()) {
    for (const std::string& name : table.head) {
      if (name == column) return table;
    }
  }
  FAIL(page.path() << " has no table with a column " << column);
  return {};
}

std::string plain(std::string cell) {
  std::erase(cell, '*');
  return cell;
}

}  // namespace

TEST_CASE("the table of the backtest is what hebb backtest measures") {
  Shell shell;
  const auto result = shell.run("hebb --json backtest examples/neo/history.jsonl");
  REQUIRE(result.code == 0);
  std::map<std::string, std::vector<std::string>> actual;
  std::map<std::string, double> sums;
  std::map<std::string, std::string> queries;
  const nlohmann::json scores = nlohmann::json::parse(result.output).at("scores");
  for (const auto& row : scores) {
    const std::string ranking = row["ranking"];
    actual[ranking].push_back(fmt::format("{:.3f}", row["mrr"].get<double>()));
    sums[ranking] += row["mrr"].get<double>();
    queries[row["protocol"]] = std::to_string(row["queries"].get<int>());
  }
  for (auto& [ranking, cells] : actual) cells.push_back(fmt::format("{:.3f}", sums[ranking] / 4));
  for (const auto& row : scores) {
    if (row["protocol"] != "A1h") continue;
    for (const char* name : {"hit3", "hit10", "ndcg10"}) {
      actual[row["ranking"]].push_back(fmt::format("{:.3f}", row[name].get<double>()));
    }
  }
  const Page page("docs/backtest.md");
  std::map<std::string, std::vector<std::string>> documented;
  for (const auto& row : table_with(page, "ndcg@10").rows) {
    for (std::size_t i = 1; i < row.size(); ++i) documented[plain(row[0])].push_back(plain(row[i]));
  }
  CHECK(documented == actual);
  for (const auto& row : table_with(page, "queries here").rows)
    CHECK(row.at(2) == queries.at(row.at(0)));
}

TEST_CASE("the table of the simulation agrees with a shorter run") {
  constexpr int kSeeds = 6, kSeedsDocumented = 60;
  hebb::study::SimulateOptions options;
  options.seeds = kSeeds;
  std::map<std::string, double> regret;
  for (const auto& s : hebb::study::simulate(options)) regret[s.ranking + " " + s.scenario] = s.regret;
  CHECK(regret.size() == 16);
  const Table table = table_with(Page("docs/backtest.md"), "S1");
  for (const auto& row : table.rows) {
    for (std::size_t i = 1; i < row.size(); ++i) {
      const double mean = std::stod(row[i]);
      const double error = std::stod(row[i].substr(row[i].find("± ") + std::string("± ").size()));
      // Rounded to a tenth, which is much of a small error.
      const double allowed = 4 * (error + 0.05) * std::sqrt(kSeedsDocumented / kSeeds);
      INFO(row[0] << " " << table.head[i]);
      CHECK(std::abs(regret.at(row[0] + " " + table.head[i]) - mean) < allowed);
    }
  }
}

TEST_CASE("README shows the same figures") {
  for (const char* column : {"ndcg@10", "S1"}) {
    const Table there = table_with(Page("docs/backtest.md"), column);
    const Table here = table_with(Page("README.md"), column);
    CHECK(here.head == there.head);
    CHECK(here.rows == there.rows);
  }
}

TEST_CASE("the code in README stands in the example") {
  const std::string readme = Page("README.md").text();
  const auto from = readme.find("```cpp\n");
  REQUIRE(from != std::string::npos);
  const std::string code = readme.substr(from + 7, readme.find("```", from + 7) - from - 7);
  const std::string example = Page("examples/library/main.cc").text();
  std::size_t lines = 0;
  for (std::size_t at = 0; at < code.size(); at = code.find('\n', at) + 1) {
    const std::string line = code.substr(at, code.find('\n', at) - at);
    INFO(line);
    CHECK(example.find(line) != std::string::npos);
    ++lines;
  }
  CHECK(lines > 5);
}
