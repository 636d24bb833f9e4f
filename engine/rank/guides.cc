#include "engine/rank/guides.h"

#include <algorithm>

namespace hebb {

using reward::Policy;

Recalibration guides(const State& state, std::span<const reward::Ranked> ranked) {
  const Policy& policy = state.policy();
  Recalibration recalibration;
  const auto k = std::min(ranked.size(), static_cast<std::size_t>(policy.top_k));
  double largest = 0;  // the first's, but for pinned ones
  for (const auto& r : ranked.first(k)) largest = std::max(largest, r.factors.priority);
  for (const auto& r : ranked.first(k)) {
    const double p = r.factors.priority;
    const double x = policy.guides_relative ? p / largest : p;
    if (x > 0) recalibration.guides.push_back({std::string(state.graph().id(r.node)), x});
  }
  return recalibration;
}

}  // namespace hebb
