// What people say of a task: how urgent it is, when it is due, and what goes before all else.
#include <algorithm>
#include <cmath>
#include <limits>

#include "reward/factors.h"

namespace hebb::reward {
namespace {

constexpr std::int64_t kOrdinary = 2;  // the priority of a task of which people give none
std::int64_t priority_of(std::int64_t given) {
  return given == graph::kNoPriority ? kOrdinary : given;
}

// By the priority that people give, and the slack in ms.
double urgency_of(const Policy& policy, std::int64_t given, double slack) {
  const double half_lives =
      std::max(slack, 0.0) / (policy.due_hours * static_cast<double>(kMsPerHour));
  return std::pow(policy.urgency_base, static_cast<double>(kOrdinary - priority_of(given))) *
         (1 + policy.due_weight * std::exp2(-half_lives));
}

// Below 0 where it is over; infinite where there is no such time.
double ms_left(TimeMs now, TimeMs until) {
  if (until == graph::kNever) return std::numeric_limits<double>::infinity();
  return ms_between(now, until) - ms_between(until, now);  // one of them is 0
}

// Whether something that people call most urgent, or that has no slack left, waits for it or is
// itself; it was touched lately, or its time ended lately; and it did not just fail.
bool is_pressing(const Policy& p, const Evidence& e) {
  const double lately = p.pressing_days * static_cast<double>(kMsPerDay);
  if (lately == 0 || ms_between(e.failed_at, e.now) < static_cast<double>(kMsPerDay)) return false;
  const auto is_now = [&](std::int64_t priority, double slack, TimeMs active) {
    if (slack <= 0 && slack >= -lately) return true;
    return (priority == 0 || slack <= 0) && ms_between(active, e.now) <= lately;
  };
  return is_now(e.priority, slack_ms(e), e.last_activity) ||
         (e.waiting_count > 0 &&
          is_now(e.awaited_priority, ms_left(e.now, e.awaited_due), e.awaited_activity));
}

}  // namespace

std::int64_t tier(const Policy& p, const Evidence& e) {
  if (e.pinned != 0) return kPinned;
  if (e.is_test != 0) return 0;
  if (is_pressing(p, e)) return kPressing;
  if (!p.strict) return 0;
  std::int64_t most = priority_of(e.priority);
  if (e.waiting_count > 0) most = std::min(most, priority_of(e.awaited_priority));
  return 5 - most;
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
  constexpr std::string_view kNames[] = {"", "P4", "P3", "P2", "P1", "P0", "pressing", "pinned"};
  if (tier < 0 || tier >= std::ssize(kNames)) graph::throw_damaged();
  return kNames[tier];
}

}  // namespace hebb::reward
