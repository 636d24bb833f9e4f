#include "engine/rank/ranked.h"

#include <algorithm>

namespace hebb {

RankedState::RankedState(const State& s, reward::Times times, bool seed, State* kept)
    : seed_(seed ? std::optional(reward::Policy::seed()) : std::nullopt),
      seed_types_(seed ? std::optional(reward::TypeTable(*seed_, s.graph().edge_types()))
                       : std::nullopt),
      view_{s.graph(), s.vectors(), seed ? *seed_ : s.view().policy,
            seed ? *seed_types_ : s.view().types, kFrontierNode},
      times_(times) {
  if (kept != nullptr && !seed && times_.stamp == s.facts().ranked_at()) {
    kept_ = &kept->ranking(times_);
  } else {
    made_.emplace(view_, times_);
  }
}

Recalibration guides(const State& state, std::span<const reward::Ranked> ranked) {
  const reward::Policy& policy = state.policy();
  Recalibration recalibration;
  const auto k = std::min(ranked.size(), static_cast<std::size_t>(policy.top_k));
  reward::RelativePriority relative;
  for (const auto& r : ranked.first(k)) relative.add(r.factors.priority);
  for (const auto& r : ranked.first(k)) {
    const double p = r.factors.priority;
    const double x = policy.guides_relative ? relative.of(p) : p;
    if (x > 0) recalibration.guides.push_back({std::string(state.graph().id(r.node)), x});
  }
  return recalibration;
}

}  // namespace hebb
