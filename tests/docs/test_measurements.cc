// Figures that stand in more than one place, or were kept from an earlier run, against each other
// and against shorter runs. What the blocks of docs/measurements.md hold is checked by
// test_blocks.cc, which runs the replays.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/docs/page.h"
#include "tests/support/process.h"
#include "tests/support/simulate.h"

using hebb::test::Page;
using hebb::test::read_text;
using hebb::test::Table;

namespace {

std::string plain(std::string cell) {
  std::erase(cell, '*');
  return cell;
}

// The table whose first column has this head.
Table table_of(const Page& page, const std::string& head) {
  for (const Table& table : page.tables()) {
    if (table.head.front() == head) return table;
  }
  FAIL(page.path() << " has no table of " << head);
  return {};
}

std::string cell(const Table& table, const std::string& row, const std::string& column) {
  const auto at = std::ranges::find(table.head, column) - table.head.begin();
  for (const auto& cells : table.rows) {
    if (plain(cells.front()) == row) return plain(cells.at(static_cast<std::size_t>(at)));
  }
  FAIL("no row " << row);
  return {};
}

// The mean reciprocal rank of "newest-first" or "hebb", as the page has it.
std::map<std::string, std::string> means(const std::string& ranking) {
  const Page page("docs/measurements.md");
  return {{"neo", cell(table_of(page, "neo"), ranking, "mean")},
          {"beads", cell(table_of(page, "beads"), ranking, "mean")},
          {"mean of the seven", cell(table_of(page, "project"), "mean", ranking)}};
}

}  // namespace

TEST_CASE("what was kept of the replays is of this version") {
  const Table leaks = table_of(Page("docs/measurements.md"), "mean reciprocal rank");
  for (const char* ranking : {"newest-first", "hebb"}) {
    for (const auto& [history, figure] : means(ranking)) {
      INFO(history << ", " << ranking);
      CHECK(cell(leaks, history + ", " + ranking, "as it is") == figure);
    }
  }
}

TEST_CASE("README shows the figures of the page") {
  const Table table = table_of(Page("README.md"), "history");
  REQUIRE(table.rows.size() == 3);
  const auto newest = means("newest-first"), hebb = means("hebb");
  std::size_t row = 0;
  for (const char* history : {"neo", "beads", "mean of the seven"}) {
    INFO(history);
    CHECK(table.rows[row].at(1) == newest.at(history));
    CHECK(plain(table.rows[row].at(2)) == hebb.at(history));
    ++row;
  }
}

TEST_CASE("the simulation that was kept agrees with a shorter run") {
  constexpr int kSeeds = 6, kSeedsKept = 60;
  hebb::test::SimulateOptions options;
  options.seeds = kSeeds;
  std::map<std::string, double> kept;
  const auto performance =
      nlohmann::json::parse(read_text(HEBB_SOURCE_DIR "/docs/performance.json"));
  for (const auto& row : performance.at("simulate").at("tables").at(0).at("rows"))
    kept[row.at("name")] = row.at("value");
  const auto scores = hebb::test::simulate(options);
  CHECK(kept.size() == 2 * scores.size());
  for (const auto& s : scores) {
    const std::string name = s.ranking + " " + s.scenario;
    INFO(name);
    const double allowed = 4 * kept.at(name + ", standard error") * std::sqrt(kSeedsKept / kSeeds);
    CHECK(std::abs(s.regret - kept.at(name)) < allowed + .1);
  }
}

TEST_CASE("each performance figure says when and of which commit it is") {
  const auto performance =
      nlohmann::json::parse(read_text(HEBB_SOURCE_DIR "/docs/performance.json"));
  CHECK(performance.size() > 5);
  for (const auto& [name, measured] : performance.items()) {
    INFO(name);
    CHECK(measured.at("date").get<std::string>().size() == 10);
    CHECK(measured.at("commit").get<std::string>().size() >= 7);
    CHECK_FALSE(measured.at("tables").empty());
  }
}

TEST_CASE("the code in docs/cpp.md stands in the example") {
  const std::string page = Page("docs/cpp.md").text();
  const auto from = page.find("```cpp\n");
  REQUIRE(from != std::string::npos);
  const std::string code = page.substr(from + 7, page.find("```", from + 7) - from - 7);
  const std::string example = read_text(HEBB_SOURCE_DIR "/examples/library/main.cc");
  std::size_t lines = 0;
  for (std::size_t at = 0; at < code.size(); at = code.find('\n', at) + 1) {
    const std::string line = code.substr(at, code.find('\n', at) - at);
    INFO(line);
    CHECK(example.find(line) != std::string::npos);
    ++lines;
  }
  CHECK(lines > 5);
}
