// Whatever the settings within their bounds, priorities are numbers that can be compared.
#include <cmath>

#include <catch2/catch.hpp>

#include "reward/policy_fields.h"
#include "reward/ranking.h"
#include "tests/reward/world.h"

namespace hebb::reward {
namespace {

// Settings at one of their bounds, or as they are by default; without those that are refused.
Policy at_bounds(Random& random) {
  Policy policy = Policy::learned();
  const auto draw = [&](const FieldInfo& info, const std::string& key) {
    if (random.chance(0.4) || key == "time_zone") return;
    Policy other = policy;
    const double value = random.chance(0.5) ? info.min : info.max;
    try {
      const bool is_switch = info.unit == "true or false";
      set(other, key, is_switch ? (value != 0 ? "true" : "false") : std::to_string(value));
      check(other);
    } catch (const BadPolicy&) {
      return;
    }
    policy = other;
  };
  for (const auto& field : policy_fields()) draw(field.info, std::string(field.info.name()));
  for (const auto& field : type_fields())
    draw(field.info, "other." + std::string(field.info.name()));
  return policy;
}

World any_world(Random& random) {
  World w(at_bounds(random));
  const std::vector<std::string> ids{"a", "b", "c", "d", "e", "f"};
  const std::vector<std::string> types{"RELATES",         "BLOCKS",     "REWARD_POSITIVE",
                                       "REWARD_NEGATIVE", "LABELED_AS", "WAITS_FOR"};
  const std::vector<double> weights{1e-9, 1, 1000};
  const std::vector<TimeMs> ages{0, 1, kMsPerDay, 20'000 * kMsPerDay};
  for (const auto& id : ids) {
    const graph::NodeId n =
        w.node(id, "OPEN", kT0 - random.pick(ages), {random.chance(0.5) ? 0.F : 1e6F});
    auto& c = w.g.nodes();
    if (random.chance(0.3)) c.type[n] = w.g.node_types().intern("TEST");
    if (random.chance(0.5)) c.priority[n] = static_cast<std::int8_t>(random.below(5));
    if (random.chance(0.5)) c.due_at[n] = kT0 - random.pick(ages);
    c.successes[n] = random.pick(weights);
    c.failures[n] = random.pick(weights);
    if (random.chance(0.3)) w.complete(id, kT0 - random.pick(ages));
  }
  w.node("label", "");
  for (int i = 0; i < 30; ++i) {
    const std::string source = random.chance(0.2) ? "frontier" : random.pick(ids);
    const std::string target = random.chance(0.3) ? "label" : random.pick(ids);
    if (source == target) continue;
    w.edge(source, target, random.pick(types), random.pick(weights), kT0 - random.pick(ages));
  }
  return w;
}

void check_finite(const Factors& f) {
  CHECK(std::isfinite(f.base));
  CHECK(std::isfinite(f.priority));
  CHECK(f.priority >= 0);
  for (const Factor& factor : factors()) {
    CAPTURE(factor.name);
    CHECK(std::isfinite(f.*factor.value));
    CHECK(f.*factor.value > 0);
  }
}

}  // namespace

TEST_CASE("bounds: every factor and priority is finite, kept or made anew") {
  std::size_t ranked = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    World w = any_world(random);
    Ranking kept(w.view(), kT0);
    const graph::NodeId touched = w.at(random.chance(0.5) ? "a" : "b");
    w.g.nodes().priority[touched] = 0;
    kept.note_node(touched);
    kept.update(w.view(), kT0);
    const Ranking anew(w.view(), kT0);
    const auto a = kept.all(w.g), b = anew.all(w.g);
    REQUIRE(a.size() == b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      check_finite(a[i].factors);
      CHECK(a[i].node == b[i].node);
      CHECK(a[i].factors.priority == b[i].factors.priority);
      // The evidence of a row is that of the node.
      Factors again;
      multiply(w.policy, kept.evidence_of(w.view(), kept.focus(), a[i].node), nullptr, again);
      CHECK(again.priority == a[i].factors.priority);
    }
    const bool is_test = random.chance(0.5);
    check_finite(factors_of_new(w.policy, kept.general(), kept.usual_days(), is_test));
    ranked += a.size();
  }
  CHECK(ranked > 400);
}

TEST_CASE("bounds: exponents that make a factor infinite leave an order") {
  World w;
  w.policy.waiting_exponent = 100;
  w.policy.waiting_days = 1e-6;
  w.node("old", "OPEN", kT0 - 10 * kMsPerDay);
  w.node("new");
  check_finite(w.factors("old", kT0 + kMsPerDay));
  CHECK(w.ranking(kT0 + kMsPerDay).size() == 2);
}

}  // namespace hebb::reward
