// The exponents of seven factors, learned from the order in which a project completed its tasks:
// docs/ranking.md, Learned exponents.
//
// A conditional logit (McFadden 1974), fit by small steps in five passes: each completion chose one
// of the tasks that were open, with a probability that is proportional to the product of the
// factors.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "reward/policy.h"
#include "reward/weight.h"

namespace hebb::reward {

struct View;

// The multiple of each exponent that is set; urgency_base is raised to its multiple.
struct Learned {
  double recency = 1, age = 1, time_proximity = 1, order_proximity = 1, context_overlap = 1;
  double attention = 1;
  double urgency = 1;          // of priorities that people set; dates are not learned
  double base_rate = 0;        // how often tasks succeed, with the prior; 0: not known
  std::int64_t completed = 0;  // how many tasks had been completed when it was learned
  bool operator==(const Learned&) const = default;
};
inline constexpr double kLeastLearned = 0.5, kMostLearned = 3;  // of the multiples

struct LearnedExponent {
  std::string_view factor;  // its name
  double Learned::*multiple;
  double Policy::*setting;  // the exponent, or the base of a power
  double pull = 0.03;       // towards 1, with each choice that it is learned from
  bool is_base_of_power = false;
};
inline constexpr std::array<LearnedExponent, 7> kLearnedExponents{{
    {"recency", &Learned::recency, &Policy::recency_exponent},
    {"age", &Learned::age, &Policy::age_exponent},
    {"time_proximity", &Learned::time_proximity, &Policy::time_proximity_exponent},
    {"order_proximity", &Learned::order_proximity, &Policy::order_proximity_exponent},
    {"context_overlap", &Learned::context_overlap, &Policy::context_overlap_weight},
    {"attention", &Learned::attention, &Policy::attention_exponent},
    // Projects differ most in how far they keep to their priorities: a weak pull.
    {"urgency", &Learned::urgency, &Policy::urgency_base, 0.003, true},
}};

// Nothing is learned from fewer completed tasks; then again whenever they have grown by a quarter.
inline constexpr std::size_t kLearnsFrom = 20;
bool is_due(const std::optional<Learned>& before, std::size_t completed);

// From the last 500 completions, as the columns and the contexts of nodes say them now.
// view.policy: as set. nullopt where learning is not due after `before`. Pure: same view, same
// bits, whatever the order in which nodes and edges were added. O(nodes), and O(nodes log nodes)
// where ids were not given in the order of filing.
std::optional<Learned> learn(const View& view, const std::optional<Learned>& before);

// The policy in force: the one that is set, with the learned multiples unless it has learn = false.
Policy in_force(const Policy& set, const std::optional<Learned>& learned);

}  // namespace hebb::reward
