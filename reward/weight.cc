// Decay is computed when a weight is read, from (w, t). So it does not matter how often it is read.
#include "reward/weight.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace hebb::reward {
namespace {

TimeMs utc_day(TimeMs t) {
  const TimeMs day = t / kMsPerDay;
  return t % kMsPerDay < 0 ? day - 1 : day;  // for times before 1970, division rounds up
}

double gained_on_day_of(const Weight& weight, TimeMs now) {
  return utc_day(weight.t) == utc_day(now) ? weight.gained : 0.0;
}

}  // namespace

double ms_between(TimeMs from, TimeMs to) {
  // Subtracted as doubles: kNever minus anything would overflow an integer.
  return to <= from ? 0.0 : static_cast<double>(to) - static_cast<double>(from);
}

double days_between(TimeMs from, TimeMs to) {
  return ms_between(from, to) / static_cast<double>(kMsPerDay);
}

double effective(const TypePolicy& p, double w, TimeMs t, TimeMs now) {
  if (p.is_protected || now <= t) return w;
  return std::max(w * std::pow(p.decay_per_day, days_between(t, now)), std::min(w, p.floor));
}

bool dormant(const TypePolicy& p, double w, TimeMs t, TimeMs now) {
  return !p.is_protected && effective(p, w, t, now) < p.dormant_below;
}

Weight create(const TypePolicy& p, double x, TimeMs now) {
  assert(x > 0 && std::isfinite(x));
  return {std::min(x, p.cap), now, 0.0};
}

void reinforce(const TypePolicy& p, Weight& weight, double x, TimeMs now) {
  assert(x > 0 && std::isfinite(x));
  const double before = effective(p, weight.w, weight.t, now);
  const double gained = gained_on_day_of(weight, now);
  const double gain = std::min(p.rate * x, std::max(p.max_gain_per_day - gained, 0.0));
  weight.w = std::min(before + gain, p.cap);
  weight.t = now;
  weight.gained = gained + std::min(gain, std::max(p.cap - before, 0.0));
}

void renew(const TypePolicy& p, Weight& weight, double x, TimeMs now) {
  const bool asleep = dormant(p, weight.w, weight.t, now);
  reinforce(p, weight, x, now);
  if (asleep) weight.w = std::max(weight.w, std::min(x, p.cap));
}

void scale(const TypePolicy& p, Weight& weight, double m, TimeMs now) {
  assert(m >= 0 && std::isfinite(m));
  weight = {effective(p, weight.w, weight.t, now) * m, now, gained_on_day_of(weight, now)};
}

void assign(const TypePolicy& p, Weight& weight, double x, TimeMs now) {
  assert(x > 0 && std::isfinite(x));
  weight = {std::min(x, p.cap), now, gained_on_day_of(weight, now)};
}

}  // namespace hebb::reward
