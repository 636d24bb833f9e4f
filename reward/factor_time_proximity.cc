// Tasks created together tend to be completed together.
#include <cmath>

#include "reward/factors.h"

namespace hebb::reward {

double time_proximity(const Policy& policy, const Evidence& evidence) {
  if (evidence.anchor == graph::kNever) return 1.0;
  const double apart = ms_between(evidence.anchor, evidence.created_at) +
                       ms_between(evidence.created_at, evidence.anchor);  // one of the two is 0
  return std::pow(1.0 + apart / static_cast<double>(kMsPerMinute), -policy.time_proximity_exponent);
}

}  // namespace hebb::reward
