// What is learned from histories of which one knows what they say.
#include <cmath>

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "reward/learned.h"
#include "tests/reward/world.h"

namespace hebb::reward {
namespace {

std::string name(int i) { return fmt::format("t{:04}", i); }

// Every hour two tasks come, and one is completed a minute later: which, given how many were
// completed before.
template <class Chosen>
World project(int completions, Chosen chosen) {
  World w;
  for (int i = 0; i < completions; ++i) {
    const TimeMs hour = kT0 + i * kMsPerHour;
    w.node(name(2 * i), "OPEN", hour - 2 * kMsPerHour);
    w.node(name(2 * i + 1), "OPEN", hour - kMsPerHour);
    w.complete(name(chosen(i)), hour + kMsPerMinute);
  }
  return w;
}
World newest_next(int completions) {
  return project(completions, [](int i) { return 2 * i + 1; });
}
World oldest_next(int completions) {
  return project(completions, [](int i) { return i; });
}

Learned learned(const World& w) { return learn(w.view(), {}).value_or(Learned{}); }

TEST_CASE("learned: fewer than 20 completions teach nothing") {
  CHECK(learned(oldest_next(19)) == Learned{});
  CHECK_FALSE(learned(oldest_next(20)) == Learned{});
  CHECK_FALSE(is_due({}, 19));
  CHECK(is_due({}, 20));
  const Learned before{.completed = 40};
  CHECK_FALSE(is_due(before, 49));
  CHECK(is_due(before, 50));
}

TEST_CASE(
    "learned: where the newest is always next recency weighs more, where the oldest is, less") {
  const Learned newest = learned(newest_next(100)), oldest = learned(oldest_next(100));
  CHECK(newest.recency > 1.1);
  CHECK(oldest.recency < 0.9);
  CHECK(learned(oldest_next(300)).recency < oldest.recency);
}

TEST_CASE("learned: where the next has the labels of the last, labels weigh more") {
  // Of the two of an hour the second is done, unless its label is not that of the last.
  World w = project(100, [](int i) { return 2 * i + (i / 10) % 2; });
  for (const char* label : {"even", "odd"}) w.node(label, "");
  for (int i = 0; i < 200; ++i) w.edge(name(i), i % 2 == 0 ? "even" : "odd", "LABELED_AS");
  const Learned l = learned(w);
  CHECK(l.context_overlap + l.attention > 2.1);
}

TEST_CASE("learned: where nobody keeps to priorities they weigh less, where all do, more") {
  const auto urgency = [](int chosen) {
    World w = project(100, [&](int i) { return 2 * i + (i / 10 + chosen) % 2; });
    for (int i = 0; i < 200; ++i) w.g.nodes().priority[w.at(name(i))] = (i + i / 20) % 2 ? 3 : 1;
    return learned(w).urgency;
  };
  CHECK(urgency(0) > 1.5);
  CHECK(urgency(1) == kLeastLearned);
}

TEST_CASE("learned: multiples stay within half and three halves, whatever the history") {
  Random random(7);
  for (int round = 0; round < 30; ++round) {
    World w;
    w.policy.recency_exponent = round % 3 == 0 ? 100 : 0.2;
    const bool is_burst = round % 2 == 0;
    for (int i = 0; i < 700; ++i) {
      const auto created = static_cast<TimeMs>(random.below(is_burst ? 3 : 1'000'000'000));
      w.node(name(i), "OPEN", kT0 + created);
      if (random.chance(0.8))
        w.complete(name(i), kT0 + static_cast<TimeMs>(random.below(1'000'000'000)));
    }
    const Learned l = learned(w);
    for (const LearnedExponent& of : kLearnedExponents) {
      CAPTURE(round, of.factor);
      CHECK(l.*of.multiple > 0.5);
      CHECK(l.*of.multiple < 1.5);
    }
    CHECK(l.base_rate > 0.9);
  }
}

TEST_CASE("learned: the order of nodes and edges makes no difference to any bit") {
  const auto made = [](bool backwards) {
    World w;
    std::vector<int> order(120);
    for (int i = 0; i < 120; ++i) order[static_cast<std::size_t>(backwards ? 119 - i : i)] = i;
    for (const int i : order) {
      w.node(name(i), "OPEN", kT0 + (i / 2) * kMsPerHour);  // two of each hour
      for (const int label : {i % 2, 2 + i % 3, 5 + i % 5}) {
        w.node("label-" + std::to_string(label), "");
        w.edge(name(i), "label-" + std::to_string(label), "LABELED_AS");
      }
    }
    for (int i = 0; i < 100; ++i)
      w.complete(name(i * 7 % 120), kT0 + (130 + i / 3) * kMsPerHour);  // three at a time
    w.g.nodes().failed[w.at(name(3))] = 30;
    return learned(w);
  };
  const Learned there = made(false);
  CHECK(there == made(true));
  CHECK_FALSE(there.recency == 1);
  CHECK(there.base_rate == Approx(102.0 / 133));
}

TEST_CASE("learned: what is in force are multiples of what is set") {
  Policy set;
  set.age_exponent = 0;
  const Learned l{.recency = 0.5, .age = 2, .urgency = 0.5, .base_rate = 0.9};
  const Policy p = in_force(set, l);
  CHECK(p.recency_exponent == 0.1);
  CHECK(p.age_exponent == 0);
  CHECK(p.attention_exponent == set.attention_exponent);
  CHECK(p.urgency_base == std::sqrt(set.urgency_base));
  CHECK(p.base_rate == 0.9);
  CHECK(in_force(set, {}) == set);
  set.learn = false;
  CHECK(in_force(set, l) == set);
}

}  // namespace
}  // namespace hebb::reward
