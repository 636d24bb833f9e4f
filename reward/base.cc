// The base of a candidate's priority, before the factors: prior, nearness, structure.
#include "reward/factors.h"

namespace hebb::reward {

double semantic(const Policy& policy, const Evidence& evidence) {
  return evidence.distance < 0 ? 0.0 : 1.0 / (evidence.distance + policy.semantic_offset);
}

double base(const Policy& policy, const Evidence& evidence) {
  if (evidence.is_test != 0) return policy.test_base;
  return policy.prior + policy.semantic_weight * semantic(policy, evidence) +
         policy.structural_weight * evidence.structural;
}

}  // namespace hebb::reward
