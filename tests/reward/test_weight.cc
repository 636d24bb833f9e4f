#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "reward/weight.h"
#include "tests/reward/world.h"
#include "tests/support/naive_model.h"

namespace hebb::reward {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr TimeMs kMidnight = kT0 / kMsPerDay * kMsPerDay;

TimeMs after(double days) {
  return kT0 + static_cast<TimeMs>(days * static_cast<double>(kMsPerDay));
}

TEST_CASE("weight: the half-life is 34.3 days, and 1.0 falls below 0.2 after 79.7 days") {
  const TypePolicy p;
  CHECK(effective(p, 1.0, kT0, after(34.3)) == Approx(0.5).margin(0.0002));
  CHECK(effective(p, 1.0, kT0, after(1)) == 0.98);
  CHECK(effective(p, 1.0, kT0, after(79.6)) > 0.2);
  CHECK_FALSE(dormant(p, 1.0, kT0, after(79.6)));
  CHECK(effective(p, 1.0, kT0, after(79.7)) < 0.2);
  CHECK(dormant(p, 1.0, kT0, after(79.7)));
}

TEST_CASE("weight: the cap holds on the first write") {
  const TypePolicy p;
  CHECK(create(p, 4.9, kT0).w == 4.9);
  CHECK(create(p, 1e300, kT0).w == 5.0);
  Weight w;
  assign(p, w, 99, kT0);
  CHECK(w.w == 5.0);
}

TEST_CASE("weight: decay stops at the floor, and a floor does not raise what is below it") {
  const TypePolicy p;
  CHECK(effective(p, 1.0, kT0, after(10'000)) == 0.1);
  CHECK(effective(p, 5.0, kT0, after(1e6)) == 0.1);
  CHECK(effective(p, 0.04, kT0, after(10'000)) == 0.04);
}

TEST_CASE("weight: a dormant edge wakes to the fact that is said again") {
  const TypePolicy p;
  Weight w = create(p, 1.0, kT0);
  const TimeMs later = after(400);
  REQUIRE(dormant(p, w.w, w.t, later));
  Weight little = w;
  renew(p, little, 0.05, later);
  CHECK(little.w == Approx(0.105).margin(1e-12));  // floor + rate * x is more
  Weight reinforced = w;
  reinforce(p, reinforced, 1.0, later);
  CHECK(reinforced.w == Approx(0.2).margin(1e-12));  // what is no fact wakes it a little
  renew(p, w, 1.0, later);
  CHECK(w.w == 1);
  CHECK(w.gained == Approx(0.1));
  renew(p, w, 1.0, later);
  CHECK(w.w == Approx(1.1).margin(1e-12));
  CHECK_FALSE(dormant(p, w.w, w.t, later));
}

TEST_CASE("weight: a protected type neither decays nor goes dormant") {
  const Policy policy = Policy::learned();
  for (const char* type : {"IMPLEMENTS", "EXTENDS", "SYSTEM_TENET", "REWARD_POSITIVE"}) {
    const TypePolicy& p = policy.type(type);
    CAPTURE(type);
    CHECK(effective(p, 0.01, kT0, after(1e5)) == 0.01);
    CHECK_FALSE(dormant(p, 0.01, kT0, after(1e5)));
  }
}

TEST_CASE("weight: decay does not depend on how often it is evaluated") {
  const TypePolicy p;
  for (int times : {1, 3, 50}) {
    Weight once = create(p, 3.0, kT0);
    Weight often = once;
    // Touching without change is the nearest thing to a job that rewrites rows.
    for (int i = 1; i <= times; ++i) scale(p, often, 1.0, kT0 + i * (30 * kMsPerDay / times));
    scale(p, once, 1.0, kT0 + 30 * kMsPerDay);
    CHECK(often.w == Approx(once.w).epsilon(1e-12));
  }
}

TEST_CASE("weight: a clock that ran back changes nothing") {
  const TypePolicy p;
  CHECK(effective(p, 2.0, kT0, kT0 - 1) == 2.0);
  CHECK(effective(p, 2.0, kT0, graph::kNever) == 2.0);
  CHECK(days_between(kT0, kT0 - kMsPerDay) == 0);
  CHECK(days_between(kT0, kT0 + kMsPerDay) == 1);
}

TEST_CASE("weight: an edge gains at most max_gain_per_day within one UTC day") {
  TypePolicy p;
  p.decay_per_day = 1;
  Weight w = create(p, 1.0, kMidnight);
  CHECK(w.gained == 0);  // creation is excepted
  for (int i = 0; i < 30; ++i) reinforce(p, w, 1.0, kMidnight + i);
  CHECK(w.w == Approx(2.0));
  CHECK(w.gained == Approx(1.0));

  SECTION("until the last millisecond of the day") {
    reinforce(p, w, 1.0, kMidnight + kMsPerDay - 1);
    CHECK(w.w == Approx(2.0));
    reinforce(p, w, 1.0, kMidnight + kMsPerDay);
    CHECK(w.w == Approx(2.1));
    CHECK(w.gained == Approx(0.1));
  }
  SECTION("scaling and assigning on that day do not open it again") {
    scale(p, w, 0.5, kMidnight + kMsPerHour);
    reinforce(p, w, 1.0, kMidnight + kMsPerHour);
    CHECK(w.w == Approx(1.0));
    assign(p, w, 3.0, kMidnight + 2 * kMsPerHour);
    reinforce(p, w, 1.0, kMidnight + 2 * kMsPerHour);
    CHECK(w.w == Approx(3.0));
  }
  SECTION("one large reinforcement is cut to what is left") {
    Weight fresh = create(p, 1.0, kMidnight);
    reinforce(p, fresh, 7.0, kMidnight);
    reinforce(p, fresh, 7.0, kMidnight);
    CHECK(fresh.w == Approx(2.0));
  }
  SECTION("infinity means no bound") {
    p.max_gain_per_day = kInfinity;
    for (int i = 0; i < 100; ++i) reinforce(p, w, 1.0, kMidnight + i);
    CHECK(w.w == 5.0);
  }
}

TEST_CASE("weight: days are UTC days, before 1970 too") {
  TypePolicy p;
  p.decay_per_day = 1;
  Weight w{1.0, -1, 1.0};  // the last millisecond of 1969
  reinforce(p, w, 1.0, 0);
  CHECK(w.w == Approx(1.1));
  Weight same_day{1.0, -kMsPerDay, 1.0};
  reinforce(p, same_day, 1.0, -1);
  CHECK(same_day.w == 1.0);
}

TEST_CASE("weight: a weight above the cap of a newer policy is cut when reinforced") {
  TypePolicy p;
  p.cap = 2;
  Weight w{4.0, kT0, 0.0};
  reinforce(p, w, 1.0, kT0);
  CHECK(w.w == 2.0);
  CHECK(w.gained == 0);
}

TEST_CASE("weight: zero stays zero, whatever the floor") {
  const TypePolicy p;
  Weight w = create(p, 1.0, kT0);
  scale(p, w, 0.0, kT0);
  CHECK(effective(p, w.w, w.t, after(100)) == 0);
  CHECK(dormant(p, w.w, w.t, kT0));
}

TEST_CASE("weight: any sequence of writes agrees with the naive model") {
  const auto seed = GENERATE(range(1u, 120u));
  CAPTURE(seed);
  Random random(seed);
  TypePolicy p;
  naive::Model model;
  const auto field = [&](const char* name, double& value, double chosen) {
    value = chosen;
    model.rules.set(std::string("type.E.") + name, chosen);
  };
  field("decay_per_day", p.decay_per_day, random.between(0.5, 1));
  field("floor", p.floor, random.between(0, 0.5));
  field("dormant_below", p.dormant_below, random.between(0, 1));
  field("rate", p.rate, random.between(0, 2));
  field("cap", p.cap, random.between(1, 6));
  field("max_gain_per_day", p.max_gain_per_day,
        random.chance(0.2) ? kInfinity : random.between(0, 2));
  p.is_protected = random.chance(0.2);
  model.rules.set("type.E.protected", p.is_protected ? 1 : 0);

  const naive::EdgeKey key{"a", "b", "E"};
  TimeMs now = kT0;
  Weight w;
  for (int step = 0; step < 200; ++step) {
    CAPTURE(step);
    now += static_cast<TimeMs>(random.below(random.chance(0.1) ? 40 * kMsPerDay : kMsPerHour * 5));
    const double x = random.between(0.01, 3);
    const auto what = model.edges.empty() ? 0 : random.below(5);
    if (what == 0) {
      w = create(p, x, now);
      model.edges.clear();
      model.link(now, key, x);
    } else if (what == 1) {
      scale(p, w, x / 2, now);
      model.scale(now, key, x / 2);
    } else if (what == 2) {
      reinforce(p, w, x, now);
      model.strengthen(now, key, x);
    } else {
      renew(p, w, x, now);
      model.link(now, key, x);
    }
    const naive::Edge& expected = model.edges.at(key);
    REQUIRE(w.w == Approx(expected.w).margin(1e-9));
    REQUIRE(w.t == expected.t);
    REQUIRE(w.gained == Approx(expected.gained).margin(1e-9));
    const TimeMs read = now + static_cast<TimeMs>(random.below(50 * kMsPerDay));
    REQUIRE(effective(p, w.w, w.t, read) == Approx(model.effective(key, read)).margin(1e-9));
  }
}

}  // namespace
}  // namespace hebb::reward
