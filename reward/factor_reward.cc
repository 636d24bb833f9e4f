// Successes of neighbours raise a task for about a day, by at most exp(reward_weight).
#include <cmath>

#include "reward/factors.h"

namespace hebb::reward {

double reward(const Policy& policy, const Evidence& evidence) {
  return std::exp(policy.reward_weight * evidence.rewards / (1.0 + evidence.rewards));
}

}  // namespace hebb::reward
