// Random graphs made by operations on the naive model, then ranked by the model and by reward/.
#include <algorithm>
#include <charconv>

#include <catch2/catch.hpp>

#include "reward/outcome.h"
#include "reward/ranking.h"
#include "tests/reward/world.h"

namespace hebb::reward {
namespace {

const std::vector<std::string> kTypes{
    "CROSS_REFERENCES", "RESOLVES",        "PARENT_OF",   "RELATES",     "IMPLEMENTS",
    "BLOCKS",           "LABELED_AS",      "IN_CATEGORY", "ASSIGNED_TO", "GUIDES",
    "REWARD_POSITIVE",  "REWARD_NEGATIVE", "PARENT_OF",   "WAITS_FOR",   "WAITS_FOR_ANY"};

const std::vector<std::string> kStates{"CLOSED", "IN_PROGRESS", "BLOCKED", "DEFERRED", "REVIEW"};

const std::vector<std::string> kNodeTypes{"TASK", "TASK", "EPIC", "GATE", "decision", "RECORD"};

struct Life {
  explicit Life(std::uint64_t seed) : random(seed) {
    choose_policy();
    const int tasks = 4 + static_cast<int>(random.below(20));
    for (int i = 0; i < tasks; ++i) ids.push_back("t" + std::to_string(i));
    for (const auto& id : ids) make(id, random.chance(0.8) ? "OPEN" : "");
    for (const auto& id : ids) {
      if (random.chance(0.3)) model.nodes[id].type = random.pick(kNodeTypes);
      if (random.chance(0.1)) model.nodes[id].type = model.nodes[id].state = "";  // only named
    }
    const int steps = static_cast<int>(random.below(200));
    for (int i = 0; i < steps; ++i) step();
    if (random.chance(0.5)) say();
    blur();
  }

  void choose_policy() {
    if (random.chance(0.25)) {
      policy = Policy::seed();
      model.rules = naive::Rules::seed();
    }
    const auto choose = [&](const std::string& key, double value) {
      char buffer[40];
      const std::string text(buffer, std::to_chars(buffer, buffer + 40, value).ptr);
      set(policy, key, text);
      model.rules.set(key, value);
    };
    for (const char* key : {"prior", "semantic_weight", "structural_weight", "recency_exponent",
                            "time_proximity_exponent", "order_proximity_exponent",
                            "context_overlap_weight", "reward_weight", "success_rate_exponent"}) {
      if (random.chance(0.15)) choose(key, random.chance(0.3) ? 0 : random.between(0, 3));
    }
    if (random.chance(0.2)) choose("failure_penalty", random.between(0.1, 2));
    if (random.chance(0.2)) choose("untried_failures", random.between(0, 3));
    if (random.chance(0.2)) choose("max_related", static_cast<double>(random.below(4)));
    if (random.chance(0.2)) choose("frontier_tasks", static_cast<double>(1 + random.below(4)));
    if (random.chance(0.2))
      choose("order_proximity_tasks", static_cast<double>(1 + random.below(4)));
    if (random.chance(0.2)) choose("order_proximity_failures", random.between(0.1, 9));
    if (random.chance(0.2)) choose("urgency_base", random.between(1, 4));
    if (random.chance(0.2)) choose("due_weight", random.between(0, 4));
    if (random.chance(0.2)) choose("unblocks_urgency", random.between(0, 1));
    if (random.chance(0.2)) choose("unblocks_exponent", random.between(0, 2));
    if (random.chance(0.2)) choose("unblocks_decay", random.between(0, 1));
    if (random.chance(0.2)) choose("waiting_exponent", random.between(0, 2));
    if (random.chance(0.2)) choose("waiting_days", random.between(0.1, 90));
    if (random.chance(0.2)) choose("forgiveness", random.between(0, 1));
    if (random.chance(0.2)) choose("success_rate_alpha", random.between(0.1, 5));
    if (random.chance(0.2)) choose("success_rate_floor", random.between(0, 1));
    if (random.chance(0.2)) choose("evidence_half_life_days", random.between(1, 60));
    if (random.chance(0.2)) choose("other.decay_per_day", random.between(0.5, 1));
    if (random.chance(0.2)) choose("type.BLOCKS.decay_per_day", random.between(0.5, 1));
    for (const char* work : {"node.gate.work", "node.RECORD.work", "node.EPIC.work"}) {
      if (!random.chance(0.1)) continue;
      const bool is_work = std::string(work) != "node.EPIC.work";
      set(policy, work, is_work ? "true" : "false");
      model.rules.set(work == std::string("node.gate.work") ? "node.GATE.work" : work, is_work);
    }
    for (const char* off : {"type.BLOCKS.protected", "close_on_success"}) {
      if (random.chance(0.7)) continue;
      set(policy, off, "false");
      model.rules.set(off, 0);
    }
  }

  void make(const std::string& id, const std::string& state) {
    std::vector<float> vector;
    if (random.chance(0.7)) {
      for (int i = 0; i < 3; ++i) vector.push_back(static_cast<float>(random.between(-1, 1)));
    }
    model.upsert(now, id, "TASK", state, vector);
    pass_time();
  }

  // By the half hour, so that many things happen at one instant.
  void pass_time() {
    if (random.chance(0.5)) now += static_cast<TimeMs>(random.below(48)) * kMsPerHour / 2;
    if (random.chance(0.02)) now += 40 * kMsPerDay;
  }

  void step() {
    const std::string& a = random.pick(ids);
    const std::string& b = random.pick(ids);
    switch (random.below(12)) {
      case 0:
        model.change_state(now, a, random.chance(0.6) ? "OPEN" : random.pick(kStates));
        break;
      case 1:
        model.remove(now, a);
        break;
      case 2:
        model.upsert(now, a, {}, "OPEN");
        break;
      case 3:
        model.pivot(now, a, random.between(0.1, 8));
        break;
      case 4:
        model.recalibrate(now);
        break;
      case 5:
      case 6:
        model.outcome(now, a, naive::Outcome::success, random.between(0.01, 1));
        break;
      case 7:
        model.outcome(now, a, naive::Outcome::failure, 1);
        break;
      case 8:
        model.outcome(now, a, naive::Outcome::partial, 1);
        break;
      default:
        model.link(now, {a, b, random.pick(kTypes)}, random.between(0.05, 4));
        break;
    }
    pass_time();
  }

  // What people say of some.
  void say() {
    for (const auto& id : ids) {
      naive::Node& node = model.nodes[id];
      const auto around = [&] {
        return now + static_cast<TimeMs>(random.below(40 * kMsPerDay)) - 20 * kMsPerDay;
      };
      if (random.chance(0.2)) node.priority = static_cast<int>(random.below(5));
      if (random.chance(0.2)) node.due = around();
      if (random.chance(0.2)) node.estimate = static_cast<TimeMs>(random.between(1, 9e8));
      if (random.chance(0.2)) node.snoozed = around();
      if (random.chance(0.1)) node.pinned = true;
    }
  }

  // States that a fold passes through: nodes that edges name and no event made yet.
  void blur() {
    for (const auto& id : ids) {
      if (random.chance(0.05)) model.nodes[id].created.reset();
    }
    now += static_cast<TimeMs>(random.below(20 * kMsPerDay)) - 5 * kMsPerDay;  // some of it ahead
  }

  Random random;
  naive::Model model;
  Policy policy = Policy::learned();
  TimeMs now = kT0;
  std::vector<std::string> ids;
};

void compare(const Factors& f, const naive::Factors& expected) {
  const auto near = [](double x) { return Approx(x).epsilon(1e-7).margin(1e-7); };
  CHECK(f.priority == near(expected.priority));
  CHECK(f.base == near(expected.base));
  CHECK(f.semantic == near(expected.semantic));
  CHECK(f.structural == near(expected.structural));
  CHECK(f.recency == near(expected.recency));
  CHECK(f.time_proximity == near(expected.time_proximity));
  CHECK(f.order_proximity == near(expected.order_proximity));
  CHECK(f.context_overlap == near(expected.context_overlap));
  CHECK(f.reward == near(expected.reward));
  CHECK(f.success_rate == near(expected.success_rate));
  CHECK(f.failure_penalty == near(expected.failure_penalty));
  CHECK(f.urgency == near(expected.urgency));
  CHECK(f.unblocks == near(expected.unblocks));
  CHECK(f.waiting == near(expected.waiting));
}

// Same nodes; same order, but for neighbours whose priorities the grid cannot tell apart.
void compare_order(const std::vector<std::string>& ranking, const naive::Model& model,
                   const naive::Focus& focus, TimeMs now) {
  std::vector<std::string> expected = model.ranking(focus, now);
  for (std::size_t i = 1; i < ranking.size(); ++i) {
    const bool pinned = model.nodes.at(ranking[i]).pinned;
    CHECK((model.nodes.at(ranking[i - 1]).pinned || !pinned));
    if (model.nodes.at(ranking[i - 1]).pinned != pinned) continue;
    const double above = model.factors(focus, ranking[i - 1], now).priority;
    const double below = model.factors(focus, ranking[i], now).priority;
    CHECK(above >= below - 1e-7 * (1 + below));
  }
  std::vector<std::string> sorted = ranking;
  std::sort(sorted.begin(), sorted.end());
  std::sort(expected.begin(), expected.end());
  CHECK(sorted == expected);
}

TEST_CASE("random worlds: every factor and the order are the naive model's", "[slow]") {
  const auto seed = GENERATE(range(1u, 301u));
  CAPTURE(seed);
  const Life life(seed);
  const World w(life.model, life.policy, seed);
  const View v = w.view();
  const Ranking ranking(v, life.now);
  const Focus f = ranking.focus();
  const naive::Focus expected = life.model.focus(life.now);
  REQUIRE(f.vector.size() == expected.vector.size());
  for (std::size_t i = 0; i < f.vector.size(); ++i) {
    CHECK(f.vector[i] == Approx(expected.vector[i]).margin(1e-12));
  }
  CHECK(f.anchor == expected.anchor.value_or(graph::kNever));

  for (const auto& [id, node] : life.model.nodes) {
    if (!node.created) continue;  // nothing is asked about what does not exist
    CAPTURE(id);
    const graph::NodeId n = w.at(id);
    compare(factors(v, ranking, n), life.model.factors(expected, id, life.now));
    CHECK(is_candidate(v, n, life.now) == life.model.is_candidate(id, life.now));
    CHECK(ranking.evidence_of(v, f, n).last_activity ==
          life.model.last_activity(id).value_or(graph::kNever));
    CHECK(w.ids(related(v, n, life.now)) == life.model.related(id, life.now));
    const auto as_set = [&](const std::vector<graph::NodeId>& nodes) {
      const auto names = w.ids(nodes);
      CHECK(std::is_sorted(nodes.begin(), nodes.end()));
      return std::set<std::string>(names.begin(), names.end());
    };
    CHECK(as_set(contexts(v, n, life.now)) == life.model.contexts(id, life.now));
    CHECK(as_set(blockers(v, n, life.now)) == life.model.blockers(id, life.now));
  }
  compare_order(w.ranking(life.now), life.model, expected, life.now);
}

TEST_CASE("random worlds: the same bits, whatever order nodes and edges were added in") {
  const auto seed = GENERATE(range(1u, 101u));
  CAPTURE(seed);
  const Life life(seed);
  const World one(life.model, life.policy, 1);
  const World two(life.model, life.policy, seed + 1);
  const auto ranked = [&](const World& w) { return rank(w.view(), life.now); };
  const auto a = ranked(one);
  const auto b = ranked(two);
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(one.g.id(a[i].node) == two.g.id(b[i].node));
    CHECK(a[i].factors.priority == b[i].factors.priority);
    CHECK(a[i].factors.structural == b[i].factors.structural);
    CHECK(a[i].factors.success_rate == b[i].factors.success_rate);
  }
}

TEST_CASE("random worlds: the order is that of the factors of each node by itself") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    CAPTURE(seed);
    const Life life(seed);
    const World w(life.model, life.policy, seed);
    const View v = w.view();
    for (const TimeMs now : {life.now, life.now + 9 * kMsPerDay}) {
      const Ranking ranking(v, now);
      const auto all = ranking.all(w.g);
      for (std::size_t i = 0; i < all.size(); ++i) {
        CHECK(all[i].factors.priority == factors(v, ranking, all[i].node).priority);
        if (i > 0) CHECK(better(w.g, all[i - 1], all[i]));
      }
    }
  }
}

}  // namespace
}  // namespace hebb::reward
