// Claims in another order than the golden path's, and of some tasks only.
#include <set>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "engine/rank/reasons.h"
#include "tests/support/folder.h"
#include "tests/support/history.h"

namespace hebb::test {
namespace {

using Names = std::vector<std::string>;

ClaimNext claim_by(const std::string& agent, std::size_t n = 1) {
  ClaimNext next;
  next.agent = agent;
  next.now = kStart + kHour;
  next.n = n;
  return next;
}

Names claimed(Engine& engine, const ClaimNext& next) {
  Names ids;
  for (const ClaimedTask& task : engine.claim_next(next)) ids.push_back(task.row.id);
  return ids;
}

// Tasks at growing angles to (1, 0).
void add_fan(Engine& engine) {
  engine.append(node(kStart + 1, "east", "TASK", "OPEN", {1, 0}));
  engine.append(node(kStart + 2, "north-east", "TASK", "OPEN", {1, 1}));
  engine.append(node(kStart + 3, "north", "TASK", "OPEN", {0, 1}));
  engine.append(node(kStart + 4, "west", "TASK", "OPEN", {-1, 0}));
  engine.append(node(kStart + 5, "nowhere"));
  engine.sync();
}

TEST_CASE("claims near to something: each the nearest that is left, and no task twice") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  Engine other = open(dir.file("a.db"));
  add_fan(engine);
  ClaimNext ann = claim_by("ann"), bob = claim_by("bob");
  ann.query.near = "east";
  bob.query.vector = {1, 0};
  RankQuery query;
  query.top = 5;
  query.near = "east";
  Names ranked;
  for (const RankRow& row : engine.rank(query)) ranked.push_back(row.id);
  CHECK(ranked.front() == "east");
  const auto first = engine.claim_next(ann);
  REQUIRE(first.size() == 1);
  CHECK(first[0].row.id == ranked[0]);
  CHECK_FALSE(first[0].row.reasons.empty());
  CHECK(claimed(other, bob) == Names{ranked[1]});
  CHECK(claimed(engine, ann) == Names{ranked[2]});
  bob.n = 10;
  CHECK(claimed(other, bob) == Names{ranked[3], ranked[4]});
  CHECK(claimed(engine, ann).empty());
}

TEST_CASE("claims near to what cannot be compared are refused, and nothing is claimed") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  add_fan(engine);
  ClaimNext next = claim_by("ann");
  next.query.near = "nowhere";
  CHECK_THROWS_AS(engine.claim_next(next), std::invalid_argument);
  next.query.near.clear();
  next.query.vector = {1, 2, 3};
  CHECK_THROWS_AS(engine.claim_next(next), std::invalid_argument);
  CHECK(engine.claims().empty());
  CHECK(engine.ledger().last_position() == 5);
}

TEST_CASE("claims by the published formula") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  add_fan(engine);
  engine.append(failure(kStart + kMinute, "east"));
  engine.append(success(kStart + kMinute, "west"));
  RankQuery query;
  query.seed = true;
  query.top = 10;
  Names ranked;
  for (const RankRow& row : engine.rank(query)) ranked.push_back(row.id);
  ClaimNext next = claim_by("ann", 10);
  next.query.seed = true;
  CHECK(claimed(engine, next) == ranked);
}

TEST_CASE("claims among some tasks: only these, and what is no task is passed over") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  add_fan(engine);
  ClaimNext next = claim_by("ann", 3);
  next.query.selection.among = Names{"never heard of", "north", "west"};
  const Names got = claimed(engine, next);
  CHECK(std::set<std::string>(got.begin(), got.end()) == std::set<std::string>{"north", "west"});
  CHECK(claimed(engine, next).empty());
  next.query.selection.among = Names{};
  CHECK(claimed(engine, next).empty());
  next.query.selection.among.reset();
  CHECK(claimed(engine, next).size() == 3);
}

TEST_CASE("claims of what a change concerns come first") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  add_fan(engine);
  engine.append(node(kStart, "src/w", "FILE", ""));
  engine.append(link(kStart, "west", "FAILS_WITH", "src/w", 5));
  ClaimNext next = claim_by("ann");
  next.query.selection.changed = {"src/w"};
  const auto first = engine.claim_next(next);
  REQUIRE(first.size() == 1);
  CHECK(first[0].row.id == "west");
  CHECK(first[0].row.reasons.front() == "src/w changed");
}

TEST_CASE("claims within a time: as many as fit, and what is stuck takes none of it") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  const auto lasted = [&](const std::string& id) {
    Event e = failure(kStart + kMinute, id);
    std::get<OutcomeSignal>(e.payload).input = R"({"metrics":{"executionTimeMs":10000}})";
    engine.append(std::move(e));
  };
  for (const char* id : {"a", "b", "c"}) {
    engine.append(node(kStart, id));
    lasted(id);
  }
  ClaimNext stuck = claim_by("lost");
  stuck.lease_ms = 1000;
  stuck.query.selection.among = Names{"a"};
  for (int i = 0; i < 3; ++i) {
    CHECK(claimed(engine, stuck) == Names{"a"});
    stuck.now += kMinute;
  }
  ClaimNext next = claim_by("ann", 10);
  next.now = stuck.now;
  next.query.selection.budget_seconds = 15;
  const Names one = claimed(engine, next);
  REQUIRE(one.size() == 1);
  CHECK(one[0] != "a");
  next.query.selection.budget_seconds = 20;
  CHECK(claimed(engine, next).size() == 1);
  CHECK(claimed(engine, next).empty());
}

// The mirror keeps three rows of the six: the rest comes from the graph.
TEST_CASE("claims beyond what the mirror keeps go on in the same order") {
  const Folder dir;
  Engine engine = open(dir.file("a.db"));
  engine.append(policy(kStart, {{"mirrored", "3"}}));
  for (int i = 0; i < 6; ++i) engine.append(node(kStart + i * kMinute, "t" + std::to_string(i)));
  engine.recalibrate(kStart + kHour);
  RankQuery query;
  query.top = 6;
  Names ranked;
  for (const RankRow& row : engine.rank(query)) ranked.push_back(row.id);
  REQUIRE(ranked.size() == 6);
  Names taken;
  for (int i = 0; i < 6; ++i) {
    query.unclaimed_at = kStart + kHour;
    query.top = 2;
    const auto left = engine.rank(query);
    REQUIRE_FALSE(left.empty());
    CHECK(left[0].rank == 1);
    CHECK(left[0].relative == 1);
    CHECK(left[0].id == ranked[static_cast<std::size_t>(i)]);
    for (const std::string& id : claimed(engine, claim_by("ann"))) taken.push_back(id);
  }
  CHECK(taken == ranked);
  CHECK(claimed(engine, claim_by("ann")).empty());
}

}  // namespace
}  // namespace hebb::test
