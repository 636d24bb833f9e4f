// Rates from outcomes: how likely tasks succeed, and which labels are worked on.
#include <algorithm>
#include <cmath>

#include "reward/factors.h"

namespace hebb::reward {

double base_rate(const Policy& p) {
  return p.base_rate > 0 ? p.base_rate
                         : p.success_rate_alpha / (p.success_rate_alpha + p.success_rate_beta);
}

double own_prior(const Policy& p) { return p.success_rate_alpha + p.success_rate_beta; }

namespace {

double rate_by(const Policy& p, double k, double successes, double failures) {
  const double prior = k * base_rate(p);
  const double posterior = (prior + successes) / (k + (successes + failures));
  if (successes == 0 && failures == 0) return 1;
  return bounded(std::pow(posterior / (prior / k), p.success_rate_exponent));
}

}  // namespace

double of_labels(const Policy& p, const Evidence& e) {
  const double attended = attention(p, e.successes);
  const double both = attended * rate(p, e.successes, e.failures);
  const double least = p.success_rate_floor;
  return (least == 0 ? both : std::clamp(both, least, 1 / least)) / attended;
}

double rate(const Policy& policy, double successes, double failures) {
  return rate_by(policy, policy.success_rate_prior, successes, failures);
}

double own_rate(const Policy& policy, double successes, double failures) {
  return rate_by(policy, own_prior(policy), successes, failures);
}

double chance(const Policy& p, const Evidence& e) {
  const double r = base_rate(p), k = p.success_rate_prior, own = own_prior(p);
  const double of_labels = (k * r + e.successes) / (k + e.successes + e.failures);
  const double of_own = (own * r + e.own_successes) / (own + e.own_successes + e.own_failures);
  return std::clamp(of_labels * of_own / r, 0.0, 1.0);
}

double attention(const Policy& policy, double successes) {
  if (successes == 0) return 1;
  const double alpha = policy.success_rate_alpha;
  const double both = alpha + policy.success_rate_beta;
  const double mean = (alpha + successes) / (both + successes);
  return bounded(std::pow(mean / (alpha / both), policy.attention_exponent));
}

double general_rate(const Policy& policy, double successes, double failures) {
  Evidence all;
  all.successes = successes;
  all.failures = failures;
  return std::max(attention(policy, successes) * of_labels(policy, all), 1.0);
}

}  // namespace hebb::reward
