// A task that was touched recently is likely to be worked on next.
#include <cmath>

#include "reward/factors.h"

namespace hebb::reward {

double recency(const Policy& policy, const Evidence& evidence) {
  const double minutes =
      ms_between(evidence.last_activity, evidence.now) / static_cast<double>(kMsPerMinute);
  return std::pow(1.0 + minutes, -policy.recency_exponent);
}

}  // namespace hebb::reward
