// Urgency of a task: its priority, its due date, and its tier.
#include <algorithm>
#include <cmath>
#include <limits>

#include "reward/factors.h"

namespace hebb::reward {
namespace {

// By the priority that people give, and the slack in ms.
double urgency_of(const Policy& policy, std::int64_t given, double slack) {
  const double half_lives =
      std::max(slack, 0.0) / (policy.due_hours * static_cast<double>(kMsPerHour));
  return std::pow(policy.urgency_base,
                  static_cast<double>(kOrdinaryPriority - given_or_ordinary(given))) *
         (1 + policy.due_weight * std::exp2(-half_lives));
}

}  // namespace

double ms_left(TimeMs now, TimeMs until) {
  if (until == graph::kNever) return std::numeric_limits<double>::infinity();
  return ms_between(now, until) - ms_between(until, now);  // one of them is 0
}

std::int64_t given_or_ordinary(std::int64_t priority) {
  return priority == graph::kNoPriority ? kOrdinaryPriority : priority;
}

Pressing pressing(const Policy& p, std::int64_t priority, double slack, TimeMs active, TimeMs now) {
  Pressing result;
  const double lately = p.pressing_days * static_cast<double>(kMsPerDay);
  if (lately == 0) return result;
  const bool is_over = slack <= 0, is_lately_over = is_over && slack >= -lately;
  const bool is_lately_active = ms_between(active, now) <= lately;
  if (is_lately_over || ((priority == 0 || is_over) && is_lately_active))
    result.much = priority == 0 ? 2 : 1;
  const auto differs_after = [&](TimeMs from, double ms) {
    constexpr double kFar = 4e18;  // less than the latest time that there is
    if (static_cast<double>(from) + ms < kFar)
      result.until = std::min(result.until, from + static_cast<TimeMs>(ms));
  };
  if (!is_over) differs_after(now, std::ceil(slack));
  if (is_lately_over) differs_after(now, std::floor(slack + lately) + 1);
  if (is_lately_active) differs_after(active, std::floor(lately) + 1);
  return result;
}

std::int64_t tier(const Policy& p, const Evidence& e) {
  if (e.pinned != 0) return kPinned;
  if (e.is_test != 0) return 0;
  std::int64_t presses = 0;
  if (ms_between(e.failed_at, e.now) >= static_cast<double>(kMsPerDay)) {
    const TimeMs active = std::max(e.last_activity, e.freed_at);
    presses = pressing(p, e.priority, slack_ms(e), active, e.now).much;
    if (e.waiting_count > 0) presses = std::max(presses, e.awaited_presses);
  }
  if (p.strict) {
    const std::int64_t own = given_or_ordinary(e.priority);
    const std::int64_t most = e.waiting_count > 0 ? std::min(own, e.awaited_most_urgent) : own;
    return 2 * (5 - most) + (presses > 0 ? 1 : 0);
  }
  return presses == 0 ? 0 : presses == 1 ? kPressing : kMostPressing;
}

double urgency(const Policy& policy, const Evidence& evidence) {
  return urgency_of(policy, evidence.priority, slack_ms(evidence));
}

double awaited_urgency(const Policy& policy, const Evidence& evidence) {
  if (evidence.waiting_count == 0) return 0;
  return evidence.awaited_weight *
         urgency_of(policy, evidence.awaited_priority, ms_left(evidence.now, evidence.awaited_due));
}

double days_it_takes(const Evidence& evidence) {
  constexpr double kDaysOfTask = 1;
  for (const double days : {evidence.own_days, evidence.label_days, evidence.usual_days})
    if (days > 0) return days;
  return kDaysOfTask;
}

double slack_ms(const Evidence& evidence) {
  return ms_left(evidence.now, evidence.due_at) -
         days_it_takes(evidence) * static_cast<double>(kMsPerDay);
}

std::string_view tier_name(std::int64_t tier) {
  constexpr std::string_view kNames[] = {"",         "",
                                         "P4",       "P4 pressing",
                                         "P3",       "P3 pressing",
                                         "P2",       "P2 pressing",
                                         "P1",       "P1 pressing",
                                         "P0",       "P0 pressing",
                                         "pressing", "P0 pressing",
                                         "pinned"};
  if (tier < 0 || tier >= std::ssize(kNames)) graph::throw_damaged();
  return kNames[tier];
}

}  // namespace hebb::reward
