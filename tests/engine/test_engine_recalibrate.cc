// The batch job: what it writes, what it reports, and that it can be run twice.
#include <algorithm>

#include <catch2/catch.hpp>

#include "tests/sql/temp_dir.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

std::vector<std::string> names(const std::vector<EdgeChange>& changes) {
  std::vector<std::string> out;
  for (const auto& c : changes) out.push_back(c.edge.source + " " + c.edge.target);
  return out;
}

TEST_CASE("a second recalibration at the same time changes nothing") {
  const TempDir dir;
  Engine engine = open(dir.file("a.db"));
  engine.append({node(kStart, "a"), node(kStart, "b")});
  const auto first = engine.recalibrate(kStart + kHour);
  CHECK_FALSE(first.repeated);
  CHECK(first.candidates == 2);
  const auto before = dump(engine.state());
  const auto mirror = dump_mirror(engine);
  const auto position = engine.ledger().last_position();
  Engine other = open(dir.file("a.db"));
  for (Engine* again : {&engine, &other}) {
    const auto report = again->recalibrate(kStart + kHour);
    CHECK(report.repeated);
    CHECK(report.entered.empty());
    CHECK(report.left.empty());
  }
  CHECK(engine.ledger().last_position() == position);
  CHECK(difference(dump(engine.state()), before) == "");
  CHECK(difference(dump_mirror(engine), mirror) == "");
}

TEST_CASE("often or once a day: the weights are the same, decay being a function of time") {
  Engine once = open(":memory:"), often = open(":memory:");
  for (Engine* engine : {&once, &often}) {
    engine->append({node(kStart, "a"), node(kStart, "b"), link(kStart, "a", "RELATES", "b"),
                    policy(kStart, {{"top_k", "1"}})});
  }
  for (int i = 1; i <= 50; ++i) often.recalibrate(kStart + i * kMinute);
  once.recalibrate(kStart + 50 * kMinute);
  const EdgeName edge{"a", "b", "RELATES"};
  const TimeMs now = kStart + 10 * kDay;
  CHECK(weight(once.state(), edge, now) == weight(often.state(), edge, now));
  CHECK(weight(once.state(), edge, now) == Approx(std::pow(0.98, 10)));
}

TEST_CASE("the guides are the first k, relative to the first") {
  Engine engine = open(":memory:");
  engine.append({node(kStart, "a"), node(kStart, "b"), node(kStart, "c"), node(kStart, "d"),
                 node(kStart, "n", "NOTE", ""), link(kStart, "n", "RESOLVES", "b", 2)});
  const auto report = engine.recalibrate(kStart + kHour);
  REQUIRE(report.guides.size() == 3);
  CHECK(report.guides[0].node == "b");
  CHECK(report.guides[0].x == 1);
  CHECK(report.guides[1].x < 1);
  for (const Guide& g : report.guides)
    CHECK(weight(engine.state(), {"frontier", g.node, "GUIDES"}) == g.x);
  CHECK(report.entered ==
        std::vector<std::string>{"b", report.guides[1].node, report.guides[2].node});
  CHECK(report.left.empty());
}

TEST_CASE("entered and left say who came into the top k and who fell out") {
  Engine engine = open(":memory:");
  engine.append({policy(kStart, {{"top_k", "1"}}), node(kStart, "a"), node(kStart, "b"),
                 node(kStart, "n", "NOTE", ""), link(kStart, "n", "RESOLVES", "a")});
  CHECK(engine.recalibrate(kStart + kHour).entered == std::vector<std::string>{"a"});
  CHECK(engine.recalibrate(kStart + 2 * kHour).entered.empty());
  engine.append(success(kStart + 3 * kHour, "a", {}));
  const auto report = engine.recalibrate(kStart + 4 * kHour);
  CHECK(report.entered == std::vector<std::string>{"b"});
  CHECK(report.left == std::vector<std::string>{"a"});
}

TEST_CASE("edges that became dormant or woke since the last one are reported, once") {
  Engine engine = open(":memory:");
  engine.append({node(kStart, "a", "NOTE", ""), node(kStart, "b", "NOTE", ""),
                 node(kStart, "c", "NOTE", ""), link(kStart, "a", "RELATES", "b"),
                 link(kStart, "a", "IMPLEMENTS", "b"), link(kStart, "b", "RELATES", "c", 0.15),
                 link(kStart, "c", "RELATES", "a", 4)});
  engine.recalibrate(kStart + kDay);
  // 0.98 ^ 79.7 is 0.2.
  auto report = engine.recalibrate(kStart + 79 * kDay);
  CHECK(names(report.became_dormant).empty());
  // Touched since, and asleep again by the next: that counts too.
  engine.append(link(kStart + 79 * kDay + 1, "b", "RELATES", "a", 0.5));
  report = engine.recalibrate(kStart + 81 * kDay);
  CHECK(names(report.became_dormant) == std::vector<std::string>{"a b"});
  CHECK(report.became_dormant[0].weight == Approx(std::pow(0.98, 81)));
  CHECK(engine.recalibrate(kStart + 82 * kDay).became_dormant.empty());

  engine.append(link(kStart + 83 * kDay, "a", "RELATES", "b", 3));
  report = engine.recalibrate(kStart + 84 * kDay);
  CHECK(names(report.woke) == std::vector<std::string>{"a b"});
  // It woke to 3, and 3 * 0.98 ^ 134.1 is 0.2.
  report = engine.recalibrate(kStart + 230 * kDay);
  CHECK(report.woke.empty());
  CHECK(names(report.became_dormant) == std::vector<std::string>{"a b", "b a", "c a"});
}

TEST_CASE("an edge that was reinforced and forgotten between two recalibrations is reported") {
  Engine engine = open(":memory:");
  engine.append({node(kStart, "a", "NOTE", ""), node(kStart, "b", "NOTE", ""),
                 link(kStart, "a", "RELATES", "b")});
  engine.recalibrate(kStart + kHour);
  engine.append(link(kStart + kDay, "a", "RELATES", "b"));
  CHECK(names(engine.recalibrate(kStart + 300 * kDay).became_dormant) ==
        std::vector<std::string>{"a b"});
}

TEST_CASE("between recalibrations an outcome moves the stored ranking at once") {
  const TempDir dir;
  Engine engine = open(dir.file("a.db"));
  engine.append({node(kStart, "a"), node(kStart, "b"), node(kStart, "n", "NOTE", ""),
                 link(kStart, "n", "RESOLVES", "a", 0.3)});
  engine.recalibrate(kStart + kHour);
  CHECK(engine.rank({}).front().id == "a");
  for (int i = 0; i < 3; ++i) engine.append(failure(kStart + 2 * kHour, "a"));
  CHECK(engine.rank({}).front().id == "b");
  CHECK(difference(mirrored_ranking(engine), ranking_at_stamp(engine.state())) == "");
}

}  // namespace
}  // namespace hebb::test
