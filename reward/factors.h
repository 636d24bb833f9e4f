// The evidence about a candidate, read from its edges and its vector, and the factors computed
// from it: docs/ranking.md, Priority.
//
// A factor depends on the policy and the evidence only. Each is a row of the table in factors.cc.
// With its exponent (or weight) at 0, a factor is exactly 1.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "graph/graph.h"
#include "reward/policy.h"
#include "reward/weight.h"

namespace hebb::reward {

inline constexpr std::int64_t kOrdinaryPriority = 2;  // of a task without one
std::int64_t given_or_ordinary(std::int64_t priority);

// Sums that fade with time alone.
struct Fading {
  double rewards = 0;    // R: inbound REWARD_POSITIVE, with a half-life of hours
  double successes = 0;  // S: of the contexts, with a half-life of days
  double failures = 0;   // U: likewise, of each task by the square root
  double own_successes = 0, own_failures = 0;  // the task's own outcomes, likewise
  double penalised = 0;  // weight of frontier -> n REWARD_NEGATIVE after its decay, or
                         // untried_failures where there was no outcome; of a test what its failures
                         // count
};

struct Evidence : Fading {
  TimeMs now = 0;
  Fading stamped;                       // as of the ranking's stamp
  TimeMs anchor = graph::kNever;        // creation of the task completed last
  TimeMs completed_at = graph::kNever;  // when that was
  TimeMs created_at = graph::kNever;
  TimeMs last_activity = graph::kNever;
  double distance = -1;  // L2 from the focus; negative: one of the two has no vector
  double filed_between =
      -1;  // tasks filed between it and the nearest task completed last; negative: not known
  double near_in_time = 0, near_in_order = 0;  // derived: see set_near()
  double overlap = 0;     // shared contexts / all contexts of it and the task completed last
  double structural = 0;  // sum of effective weights of inbound structural edges
  double general = 1;     // general_rate() of a node without contexts; of others 1
  TimeMs failed_at = graph::kNever;     // its last failure, unless it has succeeded since
  TimeMs penalised_at = graph::kNever;  // when the weight of its failures was last set
  // Durations: its own, estimated or of its last success; the geometric means of its contexts'
  // tasks and of all tasks whose duration is known. Not above 0: not known.
  double own_days = 0, label_days = 0, usual_days = 0;
  int priority = graph::kNoPriority;  // as people say
  // The source of the heaviest of the structural edges, for words alone; of several the smallest
  // id.
  graph::NodeId linked_from = graph::kNoNode;
  std::uint64_t is_test = 0;  // 1: see is_test(). As wide as the others, so that nothing is padding
  TimeMs due_at = graph::kNever;
  // How many tasks wait for it, directly or through others, weighted by the policy's decay.
  double waiting = 0;
  // The most urgent waiting task, by the policy's decay; of several the smallest id.
  double awaited_weight = 0;           // by that decay
  TimeMs awaited_due = graph::kNever;  // less the work from this task's beginning on
  std::int64_t awaited_priority = graph::kNoPriority;  // as people say
  // How much any waiting task presses (see Pressing), and until when; and their most urgent
  // priority.
  std::int64_t awaited_presses = 0;
  TimeMs awaited_presses_until = std::numeric_limits<TimeMs>::max();
  std::int64_t awaited_most_urgent = 4;
  // For words alone: the waiting task that presses most, else the most urgent; and its priority.
  std::int64_t awaited_by_priority = graph::kNoPriority;
  TimeMs freed_at = graph::kNever;  // when the last task that it waited for was completed
  graph::NodeId awaited_by = graph::kNoNode;
  std::uint32_t waiting_count = 0;
  std::uint32_t pinned = 0;
  std::uint32_t others_awaited = 0;  // 1: later another waiting task may be the most urgent
};

// Sets near_in_time, by anchor and created_at, and near_in_order, by filed_between: the logarithms
// of the bases of the exponents of closeness. 0: not known.
void set_near(Evidence& evidence);

// The parts of a priority, and the priority.
struct Factors {
  double priority = 0;  // base times all that follow `structural`
  double base = 0;
  double semantic = 0;
  double structural = 0;
  double recency = 1;
  double age = 1;
  double time_proximity = 1;
  double order_proximity = 1;
  double context_overlap = 1;
  double reward = 1;
  double attention = 1;
  double success_rate = 1;
  double failure_penalty = 1;
  double urgency = 1;
  double unblocks = 1;
  double duration = 1;
  double waiting = 1;
  // The weight of a test's failures, below 0 where the policy makes them lower it; else 0. It
  // decides where priorities are equal: a power of few failures is 1 in a double.
  double test_failures = 0;
  // The higher goes first, whatever the priority: kPinned; kMostPressing, kPressing or 0; where the
  // policy is strict 2 for P4 to 10 for P0, and one more if it presses.
  std::int64_t tier = 0;
};
inline constexpr std::int64_t kPinned = 14, kMostPressing = 13, kPressing = 12;
std::int64_t tier(const Policy& policy, const Evidence& evidence);
std::string_view tier_name(std::int64_t tier);  // "pinned", "P0 pressing", "pressing", "P3", or ""

// How much a task presses, by its priority, its slack in ms and its last activity: 0: not; 1: it
// does; 2: it does and is P0. And from when on that may differ.
struct Pressing {
  std::int64_t much = 0;
  TimeMs until = std::numeric_limits<TimeMs>::max();
};
Pressing pressing(const Policy& policy, std::int64_t priority, double slack, TimeMs active,
                  TimeMs now);

// A factor in words, the same in reasons, in explanations and on the page.
struct FactorWords {
  std::string_view label, raises, lowers;  // what it is; what it says above 1, and below
};

// A factor of a priority. Explanations, reasons, JSON and tables walk these.
struct Factor {
  std::string_view name;
  FactorWords words;
  double Factors::*value;
  double (*compute)(const Policy&, const Evidence&);
  bool (*differs)(const Evidence& a, const Evidence& b);   // whether what it reads differs
  std::string_view meaning;                                // in a line, for people
  std::string (*formula)(const Policy&, const Evidence&);  // with the numbers in it
  // Why a task stands where it does, in a few words; empty: it says nothing. strength: see
  // engine/rank/reasons.h. nullptr: `words`, or what takes more than the evidence.
  std::string (*reason)(const graph::Graph&, const Evidence&, double strength) = nullptr;
  bool against_mean = false;  // only how it compares with the other candidates is a reason
  bool of_tests = false;      // tests have it, too; all other factors of a test are 1
};
std::span<const Factor> factors();  // in the order in which they are multiplied
std::string span_text(TimeMs ms);   // "5 min", "12 h", "40 d"

// All factors and their product. before: the evidence that `factors` was made from, if any: factors
// that read the same stay. Of a test only its own failures and what people set count.
void multiply(const Policy& policy, const Evidence& evidence, const Evidence* before,
              Factors& factors);
// The factors of a task, or a test, that does not exist yet: made at this moment, without any edge.
// general: general_rate() of the contexts of all candidates.
Factors factors_of_new(const Policy& policy, double general, double usual_days, bool is_test);

// How likely a task is to succeed after so many outcomes of its contexts' tasks, to the base rate
// r:
// ((k r + successes) / (k + successes + failures) / r) ^ success_rate_exponent, with k
// success_rate_prior. Without outcomes exactly 1.
double rate(const Policy& policy, double successes, double failures);
// rate() by the task's own outcomes, which say more of it: k is success_rate_alpha +
// success_rate_beta.
double own_rate(const Policy& policy, double successes, double failures);
// The chance to succeed that follows from both, 0 to 1.
double chance(const Policy& policy, const Evidence& evidence);
// attention() times rate() of its contexts' outcomes, within bounds; divided by the attention.
double of_labels(const Policy& policy, const Evidence& evidence);
// How often tasks succeed, as learned or else by the prior; and how many outcomes that counts as
// for a task's own.
double base_rate(const Policy& policy);
double own_prior(const Policy& policy);
// Each factor is within these bounds, whatever the settings, so their product with a base (at most
// about 1e13) is finite and above 0 where the base is. Not a number becomes kLeastFactor.
inline constexpr double kLeastFactor = 1e-20, kMostFactor = 1e20;
inline double bounded(double factor) {
  return std::min(std::max(kLeastFactor, factor), kMostFactor);
}
// The rate by successes alone: a label that was worked on lately is likely to be next.
double attention(const Policy& policy, double successes);
// attention() times of_labels() by all contexts' outcomes together, for a task without context, and
// at least 1: others' failures do not lower a task that has nothing to do with them.
double general_rate(const Policy& policy, double successes, double failures);
// urgency_base ^ (2 - priority) * (1 + due_weight * 2 ^ (-slack / due_hours)); 1 where nothing is
// set
double urgency(const Policy& policy, const Evidence& evidence);
// The largest urgency of a task that waits for it: V. 0: none waits for it.
double awaited_urgency(const Policy& policy, const Evidence& evidence);
// Shorter tasks count as a quarter of an hour: below that, estimates differ more than tasks.
inline constexpr double kLeastDays = 1.0 / 96;
// How many days the task takes: own_days, else label_days, else usual_days, else a day.
double days_it_takes(const Evidence& evidence);
// The time until it has to be begun, in ms; infinite without a due date.
double slack_ms(const Evidence& evidence);
// The time left until `until`: below 0 if it is over; infinite for kNever.
double ms_left(TimeMs now, TimeMs until);

}  // namespace hebb::reward
