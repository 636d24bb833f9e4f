// Which edges an event changes, and how: docs/ranking.md, Events, as a list.
// The one place that knows it; the fold applies the list and explain prints it.
#pragma once

#include <string_view>
#include <vector>

#include "engine/ledger/event.h"
#include "reward/policy.h"
#include "reward/weight.h"

namespace hebb {

inline constexpr std::string_view kGuides = "GUIDES";
inline constexpr std::string_view kRewardPositive = "REWARD_POSITIVE";
inline constexpr std::string_view kRewardNegative = "REWARD_NEGATIVE";
inline constexpr std::string_view kStrategicPivot = "STRATEGIC_PIVOT";

// edge_rules.cc has tables in this order.
enum class Rule : std::uint8_t {
  strengthen,  // create with x, or reinforce by x
  renew,       // the same; a dormant edge gets x at least
  scale,       // multiply by x, if the edge exists
  assign,      // set to x
  remove,
};
std::string_view rule_name(Rule rule);

struct EdgeRule {
  std::string_view source, target, type;  // borrowed from the event
  Rule rule = Rule::strengthen;
  double x = 0;
};

// Appends to `out`. A pivot also scales every other unprotected out-edge of the frontier by
// policy.pivot_factor: that depends on which edges there are and is not in the list.
void edge_rules(const Event& e, const reward::Policy& policy, std::vector<EdgeRule>& out);

// The weight after the rule, nullopt where the edge is not there after it.
std::optional<reward::Weight> apply_rule(const EdgeRule& rule, const reward::TypePolicy& type,
                                         const std::optional<reward::Weight>& before, TimeMs at);

}  // namespace hebb
