// A multiplication, so that k failures lower a task by the same factor whatever its base is.
#include <cmath>

#include "reward/factors.h"

namespace hebb::reward {

double failure_penalty(const Policy& policy, const Evidence& evidence) {
  const double factor = evidence.is_test != 0 ? policy.test_failure_factor : policy.failure_penalty;
  return std::pow(factor, evidence.penalised);
}

}  // namespace hebb::reward
