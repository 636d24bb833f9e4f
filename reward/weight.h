// The weight of one edge: section 2 of docs/semantics.md. Pure functions of (state, policy, time).
#pragma once

#include <cstdint>

#include "reward/policy.h"

namespace hebb::reward {

using TimeMs = std::int64_t;

struct Weight {
  double w = 0;         // as of t
  TimeMs t = 0;         // when last touched
  double gained = 0;    // reinforcement received on the UTC day of t
};

double days_between(TimeMs from, TimeMs to);  // never negative: a clock that ran back does not grow weights
double effective(const TypePolicy& p, double w, TimeMs t, TimeMs now);
bool dormant(const TypePolicy& p, double w, TimeMs t, TimeMs now);

Weight create(const TypePolicy& p, double x, TimeMs now);  // precondition: x > 0 and finite
void reinforce(const TypePolicy& p, Weight& weight, double x, TimeMs now);
void scale(const TypePolicy& p, Weight& weight, double m, TimeMs now);
void assign(const TypePolicy& p, Weight& weight, double x, TimeMs now);  // the pivot's: set, within the cap

}  // namespace hebb::reward
