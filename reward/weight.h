// The weight of one edge: docs/ranking.md, Weight and decay. Pure functions of (state, policy,
// time).
#pragma once

#include <cstdint>

#include "reward/policy.h"

namespace hebb::reward {

using TimeMs = std::int64_t;  // epoch milliseconds, UTC

inline constexpr TimeMs kMsPerMinute = 60'000;
inline constexpr TimeMs kMsPerHour = 60 * kMsPerMinute;
inline constexpr TimeMs kMsPerDay = 24 * kMsPerHour;
static_assert(kMsPerDay == 86'400'000);

// The times of a ranking: weights of edges are as of `stamp`, all else as of `now`, which is not
// before it. So the effect of time alone follows without a look at the edges.
struct Times {
  TimeMs stamp = 0, now = 0;
  Times(TimeMs both) : stamp(both), now(both) {}
  Times(TimeMs of_weights, TimeMs of_all_else) : stamp(of_weights), now(of_all_else) {}
  bool operator==(const Times&) const = default;
};

struct Weight {
  double w = 0;       // as of t
  TimeMs t = 0;       // when last touched
  double gained = 0;  // reinforcement received on the UTC day of t
};

// Elapsed time in milliseconds or days; never negative, so that weights do not grow if a clock ran
// back.
double ms_between(TimeMs from, TimeMs to);
double days_between(TimeMs from, TimeMs to);

double effective(const TypePolicy& p, double w, TimeMs t, TimeMs now);
bool dormant(const TypePolicy& p, double w, TimeMs t, TimeMs now);

// Each sets t = now, and sets `gained` to 0 if t was on an earlier UTC day.
Weight create(const TypePolicy& p, double x, TimeMs now);  // precondition: x > 0 and finite
void reinforce(const TypePolicy& p, Weight& weight, double x,
               TimeMs now);  // precondition: as above
// For a fact that is stated again: reinforces; an edge that was dormant gets x at least.
void renew(const TypePolicy& p, Weight& weight, double x, TimeMs now);  // precondition: as above
void scale(const TypePolicy& p, Weight& weight, double m, TimeMs now);  // precondition: m >= 0
void assign(const TypePolicy& p, Weight& weight, double x,
            TimeMs now);  // for pivots: sets w to x, at most the cap

}  // namespace hebb::reward
