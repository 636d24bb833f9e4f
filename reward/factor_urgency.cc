// What people say: how urgent a task is, and when it is due. The ramp is that of Taskwarrior's
// urgency (https://taskwarrior.org/docs/urgency/), but for what is due later: there it counts .2 as
// well, here nothing.
#include <algorithm>
#include <cmath>

#include "reward/factors.h"

namespace hebb::reward {

double lateness(const Evidence& evidence) {
  constexpr double kBefore = 14, kAfter = 7, kFirst = 0.2;  // days, days, at the beginning
  if (evidence.due_at == graph::kNever) return 0;
  const double late = days_between(evidence.due_at, evidence.now) -
                      days_between(evidence.now, evidence.due_at);  // one of them is 0
  if (late < -kBefore) return 0;
  return std::min(kFirst + (1 - kFirst) * (late + kBefore) / (kBefore + kAfter), 1.0);
}

double urgency(const Policy& policy, const Evidence& evidence) {
  constexpr int kOrdinary = 2;
  const int priority = evidence.priority == graph::kNoPriority ? kOrdinary : evidence.priority;
  return std::pow(policy.urgency_base, kOrdinary - priority) *
         (1 + policy.due_weight * lateness(evidence));
}

}  // namespace hebb::reward
