// How likely a task is to succeed, relative to the prior: from the outcomes of tasks of its
// contexts, or of all contexts if it has none, and from its own. The first is never below the
// policy's floor: failures of other tasks can lower a task only so far. Its own failures are
// bounded by their cap only.
#include <algorithm>
#include <cmath>

#include "reward/factors.h"

namespace hebb::reward {

double rate(const Policy& policy, double successes, double failures) {
  const double alpha = policy.success_rate_alpha;
  const double beta = policy.success_rate_beta;
  // Without evidence both quotients have the same bits, so the rate is exactly 1.
  const double posterior = (alpha + successes) / (alpha + beta + (successes + failures));
  const double prior = alpha / (alpha + beta);
  return std::pow(posterior / prior, policy.success_rate_exponent);
}

double general_rate(const Policy& policy, double successes, double failures) {
  return std::max(rate(policy, successes, failures), 1.0);
}

double success_rate(const Policy& policy, const Evidence& evidence) {
  return std::max(rate(policy, evidence.successes, evidence.failures), policy.success_rate_floor) *
         evidence.general * rate(policy, evidence.own_successes, evidence.own_failures);
}

}  // namespace hebb::reward
