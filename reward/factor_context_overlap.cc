// After a task, more of the same kind.
#include <cmath>

#include "reward/factors.h"

namespace hebb::reward {

double context_overlap(const Policy& policy, const Evidence& evidence) {
  return std::exp(policy.context_overlap_weight * evidence.overlap);
}

}  // namespace hebb::reward
