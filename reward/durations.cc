// How long tasks take.
#include <algorithm>
#include <cmath>

#include "reward/evidence.h"

namespace hebb::reward {

using graph::kNever;
using graph::NodeId;

double known_days(const View& view, NodeId n) {
  const graph::NodeColumns& nodes = view.graph.nodes();
  TimeMs ms = nodes.estimate[n];
  if (ms <= 0 && nodes.completed_at[n] != kNever) ms = nodes.duration_ms[n];
  return static_cast<double>(std::max<TimeMs>(ms, 0)) / static_cast<double>(kMsPerDay);
}

void Durations::add(double days) {
  logs.add(std::log(std::max(days, kLeastDays)));
  count.add(1);
}

void Durations::take_away(double days) {
  logs.add(-std::log(std::max(days, kLeastDays)));
  count.add(-1);
}

double Durations::days() const {
  return count.value() > 0 ? std::exp(logs.value() / count.value()) : -1;
}

}  // namespace hebb::reward
