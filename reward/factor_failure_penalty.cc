// A multiplication, so that k failures lower a task by the same factor whatever its base is.
#include <cmath>

#include "reward/factors.h"

namespace hebb::reward {

double failure_penalty(const Policy& policy, const Evidence& evidence) {
  return std::pow(policy.failure_penalty, evidence.penalised);
}

}  // namespace hebb::reward
