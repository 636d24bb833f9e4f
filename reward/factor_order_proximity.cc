// People and agents work through tasks that were filed together, whether within a second or a week.
// The more the tasks of its contexts fail, the smaller the effect.
#include <cmath>

#include "reward/factors.h"

namespace hebb::reward {

double order_proximity(const Policy& policy, const Evidence& evidence) {
  if (evidence.filed_between < 0) return 1.0;
  const double exponent =
      policy.order_proximity_exponent / (1.0 + evidence.failures / policy.order_proximity_failures);
  return std::pow(1.0 + evidence.filed_between, -exponent);
}

}  // namespace hebb::reward
