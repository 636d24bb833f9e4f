// Successes nearby draw attention, for about a day, and never by more than exp(reward_weight).
#include <cmath>

#include "reward/factors.h"

namespace hebb::reward {

double reward(const Policy& policy, const Evidence& evidence) {
  return std::exp(policy.reward_weight * evidence.rewards / (1.0 + evidence.rewards));
}

}  // namespace hebb::reward
