// What people read of the ranking with SQL.
#include <algorithm>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "tests/support/folder.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

constexpr int kTasks = 9;

RankQuery first(std::size_t top) {
  RankQuery query;
  query.top = top;
  return query;
}

// Nine tasks, the later ones linked to more often; every third has a label.
Engine nine_tasks(const std::string& path, const std::string& mirrored) {
  Engine engine = open(path);
  std::vector<Event> events{node(kStart, "bug", "LABEL", ""), node(kStart, "hub", "MODULE", "")};
  for (int i = 1; i <= kTasks; ++i) {
    const std::string id = "t" + std::to_string(i);
    events.push_back(node(kStart + i * kHour, id, i == 1 ? "CHORE" : "TASK"));
    events.push_back(link(kStart + i * kHour + 1, "hub", "NEEDS", id, 0.3 * i));
    if (i % 3 == 0) events.push_back(link(kStart + i * kHour + 2, id, "LABELED_AS", "bug"));
  }
  events.push_back(policy(kStart + 20 * kHour, {{"mirrored", mirrored}}));
  engine.append(std::move(events));
  engine.recalibrate(kStart + 30 * kHour);
  return engine;
}

TEST_CASE("the view has the first of the ranking, as many as the policy says", "[sqlite]") {
  const Folder dir;
  const std::string mirrored = GENERATE("0", "1", "3", "9", "1000");
  Engine engine = nine_tasks(dir.file("a.db"), mirrored);
  Event pinned = node(kStart + 31 * kHour, "t1", "CHORE");
  std::get<NodeUpsert>(pinned.payload).pinned = true;
  engine.append(pinned);
  CHECK(tables_of(engine).scalar("SELECT candidates FROM ranking") == kTasks);
  CHECK(tables_of(engine).scalar("SELECT at FROM ranking") == engine.state().facts().ranked_at());
  CHECK(engine.verify().empty());
  const auto rows = engine.rank(first(std::stoul(mirrored)));
  std::vector<std::string> ids;
  auto& database = tables_of(engine);
  CHECK(database.scalar("SELECT count(*) FROM golden_path") == std::ssize(rows));
  for (const RankRow& row : rows) {
    const auto is = [&](const std::string& what) {
      return database.scalar(
          fmt::format("SELECT {} FROM golden_path WHERE rank = {}", what, row.rank));
    };
    CAPTURE(row.id);
    CHECK(is(fmt::format("id = '{}'", row.id)) == 1);
    CHECK(is(fmt::format("name = '{}'", row.name)) == 1);
    CHECK(is(fmt::format("abs(priority - {}) < 1e-12", row.factors.priority)) == 1);
    CHECK(is("pinned") == (row.tier == "pinned"));
    if (mirrored == "1000") CHECK(is(fmt::format("abs(relative - {}) < 1e-12", row.relative)) == 1);
  }
}

TEST_CASE("a ranking says what it is as of") {
  Engine engine = open(":memory:");
  const auto said = [&] {
    RankSummary summary;
    engine.rank({}, &summary);
    return summary.at;
  };
  engine.append(node(kStart, "a"));
  CHECK(said() == 1'699'999'200'000);  // the full hour before kStart
  engine.recalibrate(kStart + kHour);
  CHECK(said() == kStart + kHour);
  engine.append(node(kStart + kHour + 1, "b"));
  CHECK(said() == kStart + kHour);
  engine.append(node(kStart + kDay, "c"));
  CHECK(said() == 1'699'999'200'000 + kDay);
}

}  // namespace
}  // namespace hebb::test
