#include "study/rankings.h"

#include <algorithm>

#include "engine/fold/edge_rules.h"

namespace hebb::study {

using reward::Policy;

bool about_types(std::string_view key) {
  return key.starts_with("type.") || key.starts_with("other.") || key.starts_with("node.");
}

Policy formula_only(const Policy& types_from) {
  Policy policy = Policy::seed();
  policy.other = types_from.other;
  policy.types = types_from.types;
  for (const auto type : {kGuides, kRewardPositive, kRewardNegative}) {
    policy.types.at(std::string(type)).structural = false;
  }
  return policy;
}

Policy without_decay(Policy policy) {
  const auto still = [](reward::TypePolicy& t) {
    t.decay_per_day = 1;
    t.floor = 0;
    t.dormant_below = 0;
  };
  still(policy.other);
  for (auto& [name, type] : policy.types) still(type);
  return policy;
}

State state_with(const Policy& policy) {
  PolicyChange change;
  for (auto& s : reward::settings(policy))
    change.settings.emplace_back(std::move(s.key), std::move(s.value));
  Event e;
  e.at = graph::kNever;
  e.key = "policy";
  e.subject = "policy";
  e.payload = std::move(change);
  State state;
  state.apply(e);
  return state;
}

}  // namespace hebb::study
