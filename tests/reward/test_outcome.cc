// Which nodes a success rewards, and how far failures lower a task.
#include <cmath>

#include <catch2/catch.hpp>

#include "reward/outcome.h"
#include "tests/reward/world.h"

namespace hebb::reward {
namespace {

using Ids = std::vector<std::string>;

Ids related_ids(const World& w, const std::string& task, TimeMs now = kT0) {
  return w.ids(related(w.view(), w.at(task), now));
}

TEST_CASE("outcome: a score is what was given, else the share of tests that passed, else 1") {
  CHECK(score(0.3, 1.0, 4.0) == 0.3);
  CHECK(score({}, 1.0, 4.0) == 0.25);
  CHECK(score({}, 0.0, 4.0) == 0);
  CHECK(score({}, 3.0, 0.0) == 1);
  CHECK(score({}, {}, 4.0) == 1);
  CHECK(score({}, {}, {}) == 1);
}

TEST_CASE("outcome: related are the open neighbours, either way, newest first") {
  World w;
  w.node("task");
  w.node("in", "OPEN", kT0 - 2);
  w.node("out", "OPEN", kT0 - 1);
  w.node("out2", "OPEN", kT0 - 1);
  w.node("closed", "CLOSED");
  w.node("gone");
  w.g.nodes().deleted_at[w.at("gone")] = kT0;
  w.edge("in", "task", "RELATES");
  w.edge("task", "out2", "CROSS_REFERENCES");
  w.edge("task", "out", "CROSS_REFERENCES");
  w.edge("out", "task", "RESOLVES");  // reached twice, related once
  w.edge("task", "closed", "RELATES");
  w.edge("task", "gone", "RELATES");
  w.edge("task", "task", "RELATES");
  w.edge("frontier", "task", "STRATEGIC_PIVOT");
  w.node("frontier", "OPEN", 0);
  CHECK(related_ids(w, "task") == Ids{"out", "out2", "in"});

  w.policy.max_related = 2;
  CHECK(related_ids(w, "task") == Ids{"out", "out2"});
  w.policy.max_related = 0;
  CHECK(related_ids(w, "task").empty());
}

TEST_CASE("outcome: nothing is related over gates, guidance, rewards or dormant edges") {
  World w;
  w.node("task");
  for (const char* type : {"BLOCKS", "GUIDES", "REWARD_POSITIVE", "REWARD_NEGATIVE"}) {
    w.node(type);
    w.edge("task", type, type);
    w.edge(type, "task", type);
  }
  w.node("faint");
  w.edge("task", "faint", "RELATES", 0.19);
  CHECK(related_ids(w, "task").empty());
  w.edge("task", "faint", "RELATES", 0.2);
  CHECK(related_ids(w, "task") == Ids{"faint"});
}

TEST_CASE("outcome: an epic never collects its children's rewards") {
  World w;
  w.node("epic");
  w.node("root");
  for (const char* id : {"one", "two", "three"}) {
    w.node(id);
    w.edge("epic", id, "PARENT_OF");
    w.edge(id, "epic", "CROSS_REFERENCES");
  }
  w.edge("root", "epic", "PARENT_OF");
  CHECK(related_ids(w, "one") == Ids{"three", "two"});
  w.complete("three", kT0);
  CHECK(related_ids(w, "one") == Ids{"two"});
  w.complete("two", kT0);
  CHECK(related_ids(w, "one").empty());  // of the last child too: it is open until it succeeded

  SECTION("a task may reward a child without children of its own") {
    CHECK(related_ids(w, "epic") == Ids{"one"});  // not root, which is a container
  }
  SECTION("with its children closed an epic is a task like any other") {
    w.node("beside");
    w.edge("beside", "epic", "RELATES");
    CHECK(related_ids(w, "beside").empty());
    w.complete("one", kT0);
    CHECK(related_ids(w, "beside") == Ids{"epic"});
  }
}

TEST_CASE("outcome: contexts are targets of context edges that count") {
  World w;
  w.node("task");
  for (const char* id : {"label", "category", "person", "faint", "dormant", "gone"}) w.node(id, "");
  w.edge("task", "label", "LABELED_AS");
  w.edge("task", "label", "IN_CATEGORY");
  w.edge("task", "category", "IN_CATEGORY");
  w.edge("task", "person", "ASSIGNED_TO");
  w.edge("task", "faint", "LABELED_AS", 0.1);  // protected: it counts, however faint
  w.edge("task", "dormant", "MENTIONS", 0.1);
  w.policy.types["MENTIONS"].context = true;
  w.edge("task", "gone", "LABELED_AS");
  w.g.nodes().deleted_at[w.at("gone")] = kT0;
  w.node("other");
  w.edge("task", "other", "RELATES");
  w.edge("other", "task", "LABELED_AS");
  CHECK(w.ids(contexts(w.view(), w.at("task"), kT0)) ==
        Ids{"label", "category", "person", "faint"});
}

// --- failures ------------------------------------------------------------------------------------

// How many failures at one instant put a task below another whose priority is `ratio` times less.
// Both priorities are taken with the activity that a failure is already counted, and no
// failure_penalty.
int failures_needed(double ratio) {
  return static_cast<int>(std::floor(std::log(ratio) / std::log(1 / 0.7))) + 1;
}

TEST_CASE("failure: k failures put a task below any other, whatever its base") {
  const auto seed = GENERATE(range(1u, 200u));
  CAPTURE(seed);
  Random random(seed);
  World w;
  w.node("done", "OPEN", kT0 - kMsPerDay, {0, 0});
  w.complete("done", kT0);
  w.node("weak", "OPEN", kT0 - static_cast<TimeMs>(random.below(kMsPerDay)));
  w.node("strong", "OPEN", kT0 - static_cast<TimeMs>(random.below(90 * kMsPerDay)),
         {static_cast<float>(random.unit()), 0});
  for (int i = 0; i < 2; ++i) {
    w.node("n" + std::to_string(i), "CLOSED");
    w.edge("n" + std::to_string(i), "strong", "RELATES", random.between(0.2, 5));
  }
  if (random.chance(0.5)) w.edge("done", "strong", "REWARD_POSITIVE", random.between(0.2, 5));
  w.g.nodes().outcome_at[w.at("strong")] = kT0;
  const double ratio = w.factors("strong").priority / w.factors("weak").priority;
  const int k = failures_needed(ratio);
  CAPTURE(ratio, k);
  REQUIRE(ratio > 1);
  REQUIRE(k <= w.policy.type("REWARD_NEGATIVE").cap);
  for (int failed = 0; failed < k; ++failed) {
    CHECK(w.ranking() == Ids{"strong", "weak"});
    w.fail("strong", kT0);
  }
  CHECK(w.ranking() == Ids{"weak", "strong"});
  CHECK(w.factors("strong").failure_penalty == Approx(std::pow(0.7, k)));
}

TEST_CASE("failure: what failures can do ends at the cap, a factor of 1253") {
  World w;
  w.node("task");
  for (int i = 0; i < 30; ++i) w.fail("task", kT0);
  CHECK(1 / w.factors("task").failure_penalty == Approx(std::pow(0.7, -20)));
  CHECK(1 / w.factors("task").failure_penalty == Approx(1253.3).epsilon(1e-4));
}

TEST_CASE("failure: spread over hours, each adds 1 to a weight that keeps 0.9 a day") {
  const auto wanted = GENERATE(1, 2, 3, 5, 8, 10);
  World w;
  w.policy.recency_exponent = 0;  // so that the ratio stays as it is while time passes
  w.node("weak");
  w.node("strong");
  w.node("anchor", "CLOSED");
  w.policy.types["FIXED"].is_protected = true;
  const double ratio = std::pow(0.7, -(wanted - 0.5));
  w.policy.prior = 1;
  w.edge("anchor", "strong", "FIXED", ratio - 1);
  REQUIRE(failures_needed(ratio) == wanted);

  const double kept = std::pow(0.9, 1.0 / 24);
  double weight = 0;
  int failures = 0;
  TimeMs now = kT0;
  while (w.ranking(now).front() == "strong") {
    now += kMsPerHour;
    w.fail("strong", now);
    weight = weight * kept + 1;
    CHECK(w.factors("strong", now).failure_penalty == Approx(std::pow(0.7, weight)));
    REQUIRE(++failures < 20);
  }
  // The weight after n is the geometric sum (1 - kept^n) / (1 - kept); solved for n:
  const double log_ratio = std::log(ratio) / std::log(1 / 0.7);
  const double n = std::log(1 - log_ratio * (1 - kept)) / std::log(kept);
  CHECK(failures == static_cast<int>(std::floor(n)) + 1);
  CHECK(failures >= wanted);
  CHECK(failures <= wanted + 1);
}

TEST_CASE("failure: one a day for ever still comes to 0.7 ^ 10") {
  World w;
  w.node("task");
  TimeMs now = kT0;
  for (int day = 0; day < 200; ++day) w.fail("task", now += kMsPerDay);
  CHECK(w.factors("task", now).failure_penalty == Approx(std::pow(0.7, 10)).epsilon(1e-6));
}

TEST_CASE("failure: in the profile seed five failures move a task by its guidance only") {
  World w(Policy::seed());
  w.node("epic");
  w.node("child", "CLOSED");
  for (const char* id : {"a", "b", "c"}) {
    w.node(id);
    w.edge("child", id, "RELATES", 3);
  }
  w.edge("child", "epic", "RELATES", 4);
  w.edge("frontier", "epic", "GUIDES", 5);
  for (int i = 0; i < 5; ++i) w.fail("epic", kT0);
  CHECK(w.factors("epic").priority == Approx(4 + 5 * std::pow(0.7, 5)));
  CHECK(w.ranking().front() == "epic");
  w.policy = Policy::learned();
  CHECK(w.ranking().back() == "epic");
}

TEST_CASE("failure: contexts remember it, and tasks that share them fall too") {
  World w;
  w.node("c", "");
  w.node("failed");
  w.node("sibling");
  w.node("stranger");
  w.edge("failed", "c", "LABELED_AS");
  w.edge("sibling", "c", "LABELED_AS");
  w.fail("failed", kT0);
  CHECK(w.factors("sibling").success_rate == Approx(std::pow(2.0 / 4 * 1.5, 5)));
  CHECK(w.factors("stranger").success_rate == 1);
  CHECK(w.ranking() == Ids{"stranger", "sibling", "failed"});
}

TEST_CASE("success: forgiveness leaves nothing of the failures") {
  World w;
  w.node("task");
  w.fail("task", kT0);
  REQUIRE(w.factors("task").failure_penalty < 1);
  const auto e =
      w.g.find_edge(w.at("frontier"), w.at("task"), *w.g.edge_types().find("REWARD_NEGATIVE"));
  Weight weight{w.g.edges().weight[*e], w.g.edges().touched_at[*e], 0};
  scale(w.policy.type("REWARD_NEGATIVE"), weight, w.policy.forgiveness, kT0);
  w.g.edges().weight[*e] = weight.w;
  CHECK(w.factors("task").failure_penalty == 1);
}

}  // namespace
}  // namespace hebb::reward
