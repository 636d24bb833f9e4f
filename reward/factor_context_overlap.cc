// After a task, tasks with the same contexts tend to be completed next.
#include <cmath>

#include "reward/factors.h"

namespace hebb::reward {

double context_overlap(const Policy& policy, const Evidence& evidence) {
  return std::exp(policy.context_overlap_weight * evidence.overlap);
}

}  // namespace hebb::reward
