// The golden path, case by case.
#include <cmath>

#include <catch2/catch.hpp>

#include "reward/ranking.h"
#include "tests/reward/world.h"

namespace hebb::reward {
namespace {

using Ids = std::vector<std::string>;

TEST_CASE("ranking: candidates are open, exist, and are not the frontier") {
  World w;
  w.node("open");
  w.node("closed", "CLOSED");
  w.node("stateless", "");
  w.node("deleted");
  w.g.nodes().deleted_at[w.at("deleted")] = kT0;
  w.node("named-only", "OPEN", graph::kNever);
  w.node("frontier", "OPEN", 0);
  CHECK(w.ranking() == Ids{"open"});
  for (graph::NodeId n = 0; n < w.g.node_bound(); ++n) {
    CHECK(is_candidate(w.view(), n, kT0) == (w.g.id(n) == "open"));
  }
}

TEST_CASE("ranking: an empty graph ranks nothing") {
  const World w;
  CHECK(w.ranking().empty());
  const Focus f = Ranking(w.view(), kT0).focus();
  CHECK(f.vector.empty());
  CHECK(f.anchor == graph::kNever);
}

TEST_CASE("ranking: a blocked task waits until its blocker is finished") {
  World w;
  w.node("task");
  w.node("blocker");
  w.edge("blocker", "task", "BLOCKS");
  CHECK(w.ranking() == Ids{"blocker"});
  CHECK(blockers(w.view(), w.at("task"), kT0) == std::vector{w.at("blocker")});

  SECTION("the blocker closes") {
    w.complete("blocker", kT0);
    CHECK(w.ranking() == Ids{"task"});
  }
  SECTION("the blocker is deleted") {
    w.g.nodes().deleted_at[w.at("blocker")] = kT0;
    CHECK(w.ranking() == Ids{"task"});
  }
  SECTION("the blocker has succeeded, and was not opened since") {
    w.g.nodes().completed_at[w.at("blocker")] = kT0;
    CHECK(w.ranking().size() == 2);
    w.g.nodes().reopened_at[w.at("blocker")] = kT0 + 1;
    CHECK(w.ranking() == Ids{"blocker"});
  }
  SECTION("no time opens the gate") {
    CHECK(w.ranking(kT0 + 9999 * kMsPerDay) == Ids{"blocker"});
    CHECK(blockers(w.view(), w.at("task"), kT0 + 9999 * kMsPerDay).size() == 1);
  }
  SECTION("it blocks in its direction only, and one blocker is enough") {
    w.node("second");
    w.edge("second", "task", "BLOCKS");
    w.complete("blocker", kT0);
    CHECK(w.ranking() == Ids{"second"});
  }
}

TEST_CASE("ranking: the profile seed is 2 / (L2 + 0.1) + sum of weights") {
  World w(Policy::seed());
  w.node("done", "OPEN", kT0, {1, 0});
  w.complete("done", kT0);
  w.node("near", "OPEN", kT0, {1, 0.5f});
  w.node("far", "OPEN", kT0 - 90 * kMsPerDay, {-3, -3});
  w.node("linked", "OPEN", kT0 - 9 * kMsPerDay);
  w.edge("near", "linked", "IMPLEMENTS", 1.5);
  w.edge("far", "linked", "RESOLVES", 0.25);
  w.edge("far", "linked", "RELATES", 0.19);  // dormant
  w.edge("done", "linked", "BLOCKS", 1);     // a gate, and open
  w.edge("frontier", "near", "GUIDES", 2);
  w.edge("done", "far", "REWARD_POSITIVE", 1, kT0 - 900 * kMsPerDay);
  w.edge("done", "near", "REWARD_NEGATIVE", 3);
  w.edge("frontier", "far", "REWARD_NEGATIVE", 3);
  const double pi_near = 2 / (0.5 + 0.1) + 2;
  const double pi_far = 2 / (5 + 0.1) + 1;  // a 3-4-5 triangle; rewards never decay
  const double pi_linked = 1.5 + 0.25;
  CHECK(w.factors("near").priority == Approx(pi_near).epsilon(1e-9));
  CHECK(w.factors("far").priority == Approx(pi_far).epsilon(1e-9));
  CHECK(w.factors("linked").priority == Approx(pi_linked).epsilon(1e-9));
  CHECK(w.ranking() == Ids{"near", "linked", "far"});
}

TEST_CASE("ranking: in the profile seed every factor is exactly 1") {
  World w(Policy::seed());
  w.node("c", "");
  w.node("task", "OPEN", kT0 - 50 * kMsPerDay);
  w.node("done", "OPEN", kT0);
  w.complete("done", kT0);
  w.edge("task", "c", "ASSIGNED_TO");
  w.edge("done", "c", "ASSIGNED_TO");
  w.edge("done", "c", "REWARD_NEGATIVE", 7);
  w.edge("done", "task", "REWARD_POSITIVE", 2);
  w.edge("frontier", "task", "REWARD_NEGATIVE", 4);
  const Factors f = w.factors("task");
  CHECK(f.recency == 1);
  CHECK(f.time_proximity == 1);
  CHECK(f.reward == 1);
  CHECK(f.success_rate == 1);
  CHECK(f.failure_penalty == 1);
  CHECK(f.priority == f.base);

  w.policy = Policy::learned();
  const Factors g = w.factors("task");
  for (const double factor : {g.recency, g.time_proximity, g.success_rate, g.failure_penalty})
    CHECK(factor < 1);
  CHECK(g.reward > 1);
}

TEST_CASE("ranking: a task without vector, edges or history has the prior") {
  World w;
  w.node("task");
  CHECK(w.factors("task").priority == 0.5);
}

TEST_CASE("ranking: the focus is the mean of the vectors of the tasks completed last") {
  World w;
  w.node("a", "OPEN", kT0 - 1000, {1, 0});
  w.node("b", "OPEN", kT0 - 2000, {0, 1});
  w.node("c", "OPEN", kT0 - 3000, {9, 9});
  w.node("d", "OPEN", kT0 - 4000);
  for (const char* id : {"a", "b"}) w.complete(id, kT0);  // a tie: by id
  w.complete("c", kT0 - 1);
  const auto check_focus = [&](std::vector<double> vector, TimeMs anchor) {
    const Focus f = Ranking(w.view(), kT0).focus();
    CHECK(f.vector == vector);
    CHECK(f.anchor == anchor);
  };
  check_focus({0.5, 0.5}, kT0 - 1000);
  CHECK(completed_last(w.view()) == std::vector{w.at("a"), w.at("b")});

  SECTION("a task without vector is one of the two, and the mean is over the other") {
    w.complete("d", kT0 + 1);
    check_focus({1, 0}, kT0 - 4000);
  }
  SECTION("a deleted task is none") {
    w.g.nodes().deleted_at[w.at("a")] = kT0;
    check_focus({4.5, 5}, kT0 - 2000);
  }
  SECTION("more tasks") {
    w.policy.frontier_tasks = 3;
    CHECK(Ranking(w.view(), kT0).focus().vector[0] == Approx(10.0 / 3));
  }
}

TEST_CASE("ranking: recency falls with the minutes since the last activity") {
  World w;
  w.node("task", "OPEN", kT0);
  CHECK(w.factors("task", kT0).recency == 1);
  CHECK(w.factors("task", kT0 - kMsPerDay).recency == 1);                    // activity yet to come
  CHECK(w.factors("task", kT0 + 31 * kMsPerMinute).recency == Approx(0.5));  // 32 ^ -0.2
  const auto last = [&] {
    return Ranking(w.view(), kT0).evidence_of(w.view(), {}, w.at("task")).last_activity;
  };
  CHECK(last() == kT0);
  w.g.nodes().outcome_at[w.at("task")] = kT0 + 3;
  CHECK(last() == kT0 + 3);
  w.g.nodes().reopened_at[w.at("task")] = kT0 + 4;
  CHECK(last() == kT0 + 4);

  w.node("other", "CLOSED");
  const auto edges_count = [&](const char* type, bool in, bool out) {
    CAPTURE(type);
    const TimeMs before = last();
    w.edge("task", "other", type, 1, before + 10);
    CHECK(last() == before + (out ? 10 : 0));
    w.edge("other", "task", type, 0.01, before + 20);  // dormant from the start
    CHECK(last() == before + (in ? 20 : out ? 10 : 0));
  };
  edges_count("CROSS_REFERENCES", true, false);
  edges_count("RESOLVES", true, false);
  edges_count("PARENT_OF", true, false);
  edges_count("LABELED_AS", false, true);
  edges_count("RELATES", false, false);
  const TimeMs all = last();
  w.g.nodes().deleted_at[w.at("other")] = kT0;
  CHECK(last() < all);
}

TEST_CASE(
    "ranking: time_proximity is distance in creation, either way, and 1 before any completion") {
  World w;
  w.node("done", "OPEN", kT0);
  w.node("before", "OPEN", kT0 - 31 * kMsPerMinute);
  w.node("after", "OPEN", kT0 + 31 * kMsPerMinute);
  CHECK(w.factors("before").time_proximity == 1);
  w.complete("done", kT0 + kMsPerDay);
  CHECK(w.factors("before").time_proximity == Approx(0.5));
  CHECK(w.factors("after").time_proximity == Approx(0.5));
}

TEST_CASE("ranking: order_proximity counts the tasks filed between, whatever the time between") {
  World w;
  w.policy.order_proximity_exponent = 1;
  w.policy.order_proximity_tasks = 2;
  w.node("stateless", "", kT0 + 3);  // is not filed
  w.node("a", "OPEN", kT0);
  w.node("c", "OPEN", kT0 + 2);  // of one instant: by id
  w.node("b", "OPEN", kT0 + 2);
  w.node("d", "CLOSED", kT0 + kMsPerDay);
  w.node("e", "OPEN", kT0 + 2 * kMsPerDay);
  w.node("f", "OPEN", kT0 + 3 * kMsPerDay);
  CHECK(w.factors("b").order_proximity == 1);  // nothing was completed
  w.complete("a", kT0 + 10);
  CHECK(w.factors("b").order_proximity == 1);
  CHECK(w.factors("c").order_proximity == Approx(1.0 / 2));
  CHECK(w.factors("e").order_proximity == Approx(1.0 / 4));
  CHECK(w.factors("stateless").order_proximity == 1);
  w.complete("f", kT0 + 20);  // the nearest of the two completed last counts
  CHECK(w.factors("e").order_proximity == 1);
  CHECK(w.factors("c").order_proximity == Approx(1.0 / 2));
  w.complete("d", kT0 + 30);  // and "a" is no longer one of them
  CHECK(w.factors("b").order_proximity == Approx(1.0 / 2));
  w.policy.order_proximity_exponent = 0;
  CHECK(w.factors("b").order_proximity == 1);
}

TEST_CASE("ranking: failures in a task's contexts take from order_proximity") {
  World w;
  w.policy.order_proximity_exponent = 1;
  w.policy.order_proximity_failures = 2;
  for (const char* id : {"done", "between", "task", "other"}) w.node(id, "OPEN", kT0);
  w.node("label", "");
  w.edge("task", "label", "LABELED_AS");
  w.edge("other", "label", "LABELED_AS");
  w.complete("done", kT0);  // filed: between, done, other, task
  CHECK(w.factors("task").order_proximity == Approx(1.0 / 2));
  w.fail("other", kT0);
  w.fail("other", kT0);  // two failures halve the exponent
  CHECK(w.factors("task").order_proximity == Approx(std::sqrt(1.0 / 2)));
}

TEST_CASE("ranking: context_overlap is the share of contexts with the task completed last") {
  World w;
  w.policy.context_overlap_weight = 1;
  for (const char* id : {"x", "y", "z"}) w.node(id, "");
  for (const char* id : {"none", "one", "both", "done", "earlier"}) w.node(id);
  for (const char* label : {"x", "y"}) {
    w.edge("both", label, "LABELED_AS");
    w.edge("done", label, "IN_CATEGORY");
  }
  w.edge("one", "y", "LABELED_AS");
  w.edge("one", "z", "LABELED_AS");
  w.edge("earlier", "z", "LABELED_AS");
  CHECK(w.factors("both").context_overlap == 1);
  w.complete("earlier", kT0 - 1);
  w.complete("done", kT0);
  CHECK(w.factors("both").context_overlap == Approx(std::exp(1.0)));
  CHECK(w.factors("one").context_overlap == Approx(std::exp(1.0 / 3)));
  CHECK(w.factors("none").context_overlap == 1);
  w.policy.context_overlap_weight = 0;
  CHECK(w.factors("both").context_overlap == 1);
}

TEST_CASE("ranking: a label is a fact; it does not fade") {
  World w;
  w.node("label", "");
  w.node("task");
  w.node("done");
  w.edge("task", "label", "LABELED_AS", 1, kT0);
  w.edge("done", "label", "LABELED_AS", 1, kT0);
  w.complete("done", kT0 + 400 * kMsPerDay);
  CHECK(w.factors("task", kT0 + 400 * kMsPerDay).context_overlap == Approx(std::exp(0.25)));
}

TEST_CASE("ranking: rewards draw attention for a day, and never more than the root of e") {
  World w;
  w.node("done", "CLOSED");
  w.node("task");
  w.edge("done", "task", "REWARD_POSITIVE", 1);
  CHECK(w.factors("task", kT0).reward == Approx(std::exp(0.25)));
  CHECK(w.factors("task", kT0 + kMsPerDay).reward == Approx(std::exp(0.5 * 0.5 / 1.5)));
  CHECK(w.factors("task", kT0).structural == 0);
  w.edge("done", "task", "REWARD_POSITIVE", 1000);
  CHECK(w.factors("task", kT0).reward < std::exp(1.0));
}

TEST_CASE("ranking: success_rate compares contexts by what their tasks came to") {
  World w;
  w.node("good", "");
  w.node("bad", "");
  for (const char* id : {"g", "b", "none", "both"}) w.node(id);
  w.node("done", "CLOSED");
  w.edge("g", "good", "LABELED_AS");
  w.edge("g", "good", "IN_CATEGORY");  // the same context twice is one
  w.edge("b", "bad", "ASSIGNED_TO");
  w.edge("both", "good", "LABELED_AS");
  w.edge("both", "bad", "LABELED_AS");
  CHECK(w.factors("g").success_rate == 1);  // no evidence, no effect
  w.edge("done", "good", "REWARD_POSITIVE", 4);
  w.edge("done", "bad", "REWARD_NEGATIVE", 4);
  CHECK(w.factors("g").success_rate == 1);  // what has not the context says nothing about it
  w.edge("done", "good", "LABELED_AS", 0.1);
  w.edge("done", "bad", "IN_CATEGORY", 0.1);  // dormant: it had the context when it failed
  CHECK(w.factors("g").success_rate == Approx(std::pow(6.0 / 7 * 1.5, 5)));
  CHECK(w.factors("b").success_rate == Approx(std::pow(2.0 / 7 * 1.5, 5)));
  CHECK(w.factors("both").success_rate == Approx(std::pow(6.0 / 11 * 1.5, 5)));
  CHECK(w.factors("none").success_rate == 1);

  SECTION("evidence halves in 30 days") {
    const TimeMs later = kT0 + 30 * kMsPerDay;
    CHECK(w.factors("g", later).success_rate == Approx(std::pow(4.0 / 5 * 1.5, 5)));
  }
  SECTION("a context edge that is dormant makes no context") {
    w.policy.types["ASSIGNED_TO"].is_protected = false;
    w.edge("b", "bad", "ASSIGNED_TO", 0.1);
    CHECK(w.factors("b").success_rate == 1);
  }
  SECTION("neither the task itself nor the frontier is a context") {
    w.edge("none", "none", "LABELED_AS");
    w.edge("none", "frontier", "LABELED_AS");
    w.edge("frontier", "none", "REWARD_NEGATIVE", 4);
    w.edge("done", "frontier", "REWARD_NEGATIVE", 4);
    CHECK(w.factors("none").success_rate == 1);
  }
  SECTION("a failure edge that is dormant is no evidence") {
    w.edge("done", "bad", "REWARD_NEGATIVE", 0.19);
    CHECK(w.factors("b").success_rate == 1);
  }
  SECTION("an edge that makes no context gives no say about it") {
    w.node("mentions", "CLOSED");
    w.edge("mentions", "good", "RELATES");
    w.edge("mentions", "good", "REWARD_NEGATIVE", 9);
    w.edge("frontier", "good", "REWARD_NEGATIVE", 9);
    CHECK(w.factors("g").success_rate == Approx(std::pow(6.0 / 7 * 1.5, 5)));
  }
}

TEST_CASE("ranking: what failures of others cost through contexts is bounded") {
  World w;
  w.node("task");
  for (int i = 0; i < 40; ++i) {
    const std::string label = "label" + std::to_string(i), mate = "mate" + std::to_string(i);
    w.node(label, "");
    w.node(mate);
    w.edge("task", label, "LABELED_AS");
    w.edge(mate, label, "LABELED_AS");
    w.edge(mate, label, "REWARD_NEGATIVE", 20);
    CHECK(w.factors("task").success_rate == 0.0002);
  }
  w.policy.success_rate_floor = 0;
  CHECK(w.factors("task").success_rate < 1e-10);
  w.policy.success_rate_exponent = 0;
  w.policy.success_rate_floor = 0.0002;
  CHECK(w.factors("task").success_rate == 1);
}

TEST_CASE("ranking: an edge with a deleted or uncreated end counts in nothing") {
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
  const bool deleted = GENERATE(true, false);
  auto& column = deleted ? w.g.nodes().deleted_at : w.g.nodes().created_at;
  column[w.at("other")] = deleted ? kT0 : graph::kNever;
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
  CHECK(w.factors("task").failure_penalty == Approx(0.49));
  CHECK(w.factors("task").structural == 3);
}

TEST_CASE("ranking: in learned, what a ranking wrote never feeds the next ranking") {
  World w;
  w.node("task");
  const double before = w.factors("task").priority;
  w.edge("frontier", "task", "GUIDES", 5);
  CHECK(w.factors("task").priority == before);
  w.policy = Policy::seed();
  CHECK(w.factors("task").priority == 5);
}

TEST_CASE("ranking: ties go by base, then age, then id") {
  World w;
  w.policy.recency_exponent = 0;
  for (const char* id : {"b", "a"}) w.node(id);
  w.node("older", "OPEN", kT0 - 1);
  CHECK(w.ranking() == Ids{"older", "a", "b"});

  // Twice the base at half the failure penalty is the same priority.
  w.policy.failure_penalty = 0.5;
  w.node("zz", "OPEN", kT0 + 5);
  w.edge("a", "zz", "RELATES", 0.5, kT0 + 5);
  w.edge("frontier", "zz", "REWARD_NEGATIVE", 1, kT0 + 5);
  REQUIRE(w.factors("zz").priority == w.factors("a").priority);
  CHECK(w.ranking() == Ids{"zz", "older", "a", "b"});
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
