// The mirror keeps only the first rows of the golden path: whether it can answer a query or not,
// the answer is that of the graph.
#include <algorithm>

#include <catch2/catch.hpp>

#include "engine/reasons.h"
#include "tests/sql/temp_dir.h"
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

struct Row {
  std::int64_t rank;
  std::string id;
  double priority, relative;
  bool operator==(const Row&) const = default;
};
std::vector<Row> rows_of(const std::vector<PathRow>& rows) {
  std::vector<Row> out;
  for (const auto& r : rows) out.push_back({r.rank, r.id, r.factors.priority, r.relative});
  return out;
}

TEST_CASE("a bounded mirror answers as one that keeps all", "[sqlite]") {
  const TempDir dir;
  Engine all = nine_tasks(dir.file("all.db"), "1000");
  Engine few = nine_tasks(dir.file("few.db"), GENERATE("0", "1", "3", "8", "9"));
  const auto kept = tables_of(few).scalar("SELECT count(*) FROM node_priority");
  CHECK(kept == few.state().policy().mirrored);
  CHECK(tables_of(few).scalar("SELECT value FROM mirror WHERE name = 'candidates'") == kTasks);
  CHECK(few.verify().empty());
  for (const std::size_t top : {1U, 3U, 4U, 9U, 20U}) {
    for (const std::string type : {"", "TASK", "CHORE", "NONE"}) {
      for (const std::string label : {"", "bug", "none"}) {
        INFO(top << " " << type << " " << label);
        RankQuery query = first(top);
        query.which.type = type;
        if (!label.empty()) query.which.labels = {label};
        CHECK(rows_of(few.rank(query)) == rows_of(all.rank(query)));
      }
    }
  }
  CHECK(few.rank(first(20)).size() == kTasks);
}

TEST_CASE("the reasons in the mirror are those that the graph gives") {
  const TempDir dir;
  Engine engine = nine_tasks(dir.file("a.db"), "1000");
  engine.append(failure(kStart + 31 * kHour, "t9"));
  engine.append(success(kStart + 31 * kHour, "t8", {"t2"}));
  REQUIRE(engine.sync());
  const auto mirrored = rank_with_reasons(engine, first(20));
  RankQuery at_stamp = first(20);
  at_stamp.now = engine.state().stamp();  // from the graph
  const auto ranked = rank_with_reasons(engine, at_stamp);
  REQUIRE(mirrored.size() == ranked.size());
  bool some = false;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    CHECK(mirrored[i].id == ranked[i].id);
    CHECK(mirrored[i].reasons == ranked[i].reasons);
    some = some || !ranked[i].reasons.empty();
  }
  CHECK(some);
}

TEST_CASE("a reader of the mirror knows what its priorities are as of") {
  const TempDir dir;
  Engine engine = open(dir.file("a.db"));
  CHECK_FALSE(engine.priority_time().recalibrated);
  engine.append(node(kStart, "a"));
  CHECK(engine.priority_time().at == kStart);
  CHECK_FALSE(engine.priority_time().recalibrated);
  engine.recalibrate(kStart + kHour);
  engine.append(node(kStart + kDay, "b"));
  CHECK(engine.priority_time().at == kStart + kHour);
  CHECK(engine.priority_time().recalibrated);
}

TEST_CASE("a damaged reason is found, and rows without any are ranked from the graph", "[sqlite]") {
  const TempDir dir;
  Engine engine = nine_tasks(dir.file("a.db"), "1000");
  const auto before = rank_with_reasons(engine, first(20));
  tables_of(engine).exec(
      "UPDATE node_priority SET reasons = 'because'"
      " WHERE node = (SELECT max(node) FROM node_priority)");
  CHECK(engine.verify().size() == 1);
  tables_of(engine).exec("UPDATE node_priority SET reasons = NULL");  // as a migration leaves them
  CHECK(engine.verify().empty());
  const auto after = rank_with_reasons(engine, first(20));
  REQUIRE(after.size() == before.size());
  for (std::size_t i = 0; i < after.size(); ++i) CHECK(after[i].reasons == before[i].reasons);
}

}  // namespace
}  // namespace hebb::test
