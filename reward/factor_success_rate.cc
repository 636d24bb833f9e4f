// How likely tasks of these contexts are to succeed, relative to the prior. Never below the
// policy's floor: failures of other tasks in a context can lower a task only so far.
#include <algorithm>
#include <cmath>

#include "reward/factors.h"

namespace hebb::reward {

double success_rate(const Policy& policy, const Evidence& evidence) {
  const double alpha = policy.success_rate_alpha;
  const double beta = policy.success_rate_beta;
  const double seen = evidence.successes + evidence.failures;
  // Without evidence both quotients have the same bits, so the factor is exactly 1.
  const double posterior = (alpha + evidence.successes) / (alpha + beta + seen);
  const double prior = alpha / (alpha + beta);
  return std::max(std::pow(posterior / prior, policy.success_rate_exponent),
                  policy.success_rate_floor);
}

}  // namespace hebb::reward
