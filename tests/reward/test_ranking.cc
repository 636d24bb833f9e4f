// The golden path where no event leads to; what events do to it is in tests/engine/scripts.
#include <cmath>

#include <catch2/catch.hpp>

#include "reward/ranking.h"
#include "tests/reward/world.h"

namespace hebb::reward {
namespace {

TEST_CASE("ranking: an empty graph ranks nothing") {
  const World w;
  CHECK(w.ranking().empty());
  const Focus f = Ranking(w.view(), kT0).focus();
  CHECK(f.vector.empty());
  CHECK(f.anchor == graph::kNever);
}

TEST_CASE("ranking: an edge with an uncreated end counts in nothing") {
  World w;
  w.node("task");
  w.node("c", "");
  w.node("other", "CLOSED");
  w.edge("other", "task", "RELATES", 3);
  w.edge("other", "task", "REWARD_POSITIVE", 3);
  w.edge("task", "c", "LABELED_AS");
  w.edge("other", "c", "LABELED_AS");
  w.edge("other", "c", "REWARD_NEGATIVE", 3);
  const Factors before = w.factors("task");
  REQUIRE(before.structural == 3);
  REQUIRE(before.reward > 1);
  REQUIRE(before.success_rate < 1);
  w.g.nodes().created_at[w.at("other")] = graph::kNever;
  const Factors after = w.factors("task");
  CHECK(after.structural == 0);
  CHECK(after.reward == 1);
  CHECK(after.success_rate == 1);
}

TEST_CASE("ranking: the frontier's own edges count though it was never created") {
  World w;
  w.node("task");
  w.edge("frontier", "task", "REWARD_NEGATIVE", 2);
  w.edge("frontier", "task", "STRATEGIC_PIVOT", 3);
  w.g.nodes().created_at[w.at("frontier")] = graph::kNever;
  CHECK(w.factors("task").failure_penalty == Approx(std::pow(0.85, 2 * 5)));
  CHECK(w.factors("task").structural == 3);
}

TEST_CASE("ranking: a type table covers the types that were there") {
  graph::Names names;
  names.intern("BLOCKS");
  TypeTable table(Policy::learned(), names);
  CHECK(table.size() == names.size());
  CHECK_FALSE(table[*names.find("BLOCKS")].structural);
  CHECK(table[0].structural);

  names.intern("IMPLEMENTS");
  names.intern("RELATES_TO");
  CHECK(table.size() == names.size() - 2);
  table.cover(Policy::learned(), names);
  CHECK(table.size() == names.size());
  CHECK_FALSE(table[*names.find("BLOCKS")].structural);
  CHECK(table[*names.find("IMPLEMENTS")].is_protected);
  CHECK_FALSE(table[*names.find("RELATES_TO")].is_protected);
}

}  // namespace
}  // namespace hebb::reward
