// The evidence about a candidate, read from its edges and its vector, and the factors computed
// from it.
//
// A factor depends on the policy and the evidence only. Each has its own file and a line in the
// list in ranking.cc. With its exponent (or weight) at 0, a factor is exactly 1.
#pragma once

#include "graph/graph.h"
#include "reward/policy.h"
#include "reward/weight.h"

namespace hebb::reward {

struct Evidence {
  TimeMs now = 0;
  TimeMs anchor = graph::kNever;  // creation of the task completed last
  TimeMs created_at = graph::kNever;
  TimeMs last_activity = graph::kNever;
  double distance = -1;  // L2 from the focus; negative: one of the two has no vector
  double filed_between =
      -1;  // tasks filed between it and the nearest task completed last; negative: not known
  double overlap = 0;     // shared contexts / all contexts of it and the task completed last
  double structural = 0;  // sum of effective weights of inbound structural edges
  double rewards = 0;     // R: inbound REWARD_POSITIVE, with a half-life of hours
  double successes = 0;   // S: of the contexts, with a half-life of days
  double failures = 0;    // U: likewise
  double general = 1;     // general_rate() of a task without contexts; of others 1
  double own_successes = 0, own_failures = 0;  // the task's own outcomes, likewise
  double penalised = 0;  // effective weight of frontier -> n REWARD_NEGATIVE, or untried_failures
                         // where there was no outcome; of a test what its failures count
  int priority = graph::kNoPriority;  // as people say
  // The source of the heaviest of the structural edges, for words alone; of several the smallest
  // id.
  graph::NodeId linked_from = graph::kNoNode;
  std::uint64_t is_test = 0;  // 1: see is_test(). As wide as the others, so that nothing is padding
  TimeMs due_at = graph::kNever;
};

// 1 / (distance + semantic_offset); 0 without a distance
double semantic(const Policy& policy, const Evidence& evidence);
// prior + semantic_weight * semantic + structural_weight * structural; of a test test.base
double base(const Policy& policy, const Evidence& evidence);

// (1 + minutes since the last activity) ^ -recency_exponent
double recency(const Policy& policy, const Evidence& evidence);
// (1 + |minutes between creation and anchor|) ^ -time_proximity_exponent; 1 without an anchor
double time_proximity(const Policy& policy, const Evidence& evidence);
// (1 + tasks filed between) ^ (-order_proximity_exponent / (1 + U / order_proximity_failures));
// 1 if nothing was completed yet
double order_proximity(const Policy& policy, const Evidence& evidence);
// exp(context_overlap_weight * overlap)
double context_overlap(const Policy& policy, const Evidence& evidence);
// exp(reward_weight * R / (1 + R))
double reward(const Policy& policy, const Evidence& evidence);
// (posterior mean / prior mean) ^ success_rate_exponent of a Beta(alpha, beta) that saw so many
double rate(const Policy& policy, double successes, double failures);
// The rate of the outcomes of all contexts together, for a task that has no context, and at least
// 1: others' failures do not lower a task that has nothing to do with them.
double general_rate(const Policy& policy, double successes, double failures);
// The rate of the contexts, which is at least success_rate_floor, or the general one, times that of
// its own outcomes
double success_rate(const Policy& policy, const Evidence& evidence);
// failure_penalty ^ (effective weight of frontier -> n REWARD_NEGATIVE); of a test
// test.failure_factor ^ (what its failures count)
double failure_penalty(const Policy& policy, const Evidence& evidence);
// 0 until 14 days before it is due, then from .2 up to 1 at 7 days after; 0 where nobody said when
double lateness(const Evidence& evidence);
// urgency_base ^ (2 - priority) * (1 + due_weight * lateness); 1 where nobody said anything
double urgency(const Policy& policy, const Evidence& evidence);

}  // namespace hebb::reward
