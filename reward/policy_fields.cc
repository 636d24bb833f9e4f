// The table of fields.
#include "reward/policy_fields.h"

#include <array>
#include <limits>

namespace hebb::reward {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kTiny = 1e-6;       // stands for "above 0"
constexpr double kMaxWeight = 1000;  // the largest cap; sums of weights stay far from overflow

constexpr Field<Policy> kPolicyFields[] = {
    {{"prior", "priority", 0, 1000, "lets a task without vector or edges be ranked"},
     &Policy::prior},
    {{"semantic_weight", "per 1/distance", 0, 1000, "nearness to recent work weighs double"},
     &Policy::semantic_weight},
    {{"structural_weight", "per unit of weight", 0, 1000, "what others link to matters"},
     &Policy::structural_weight},
    {{"semantic_offset", "distance", kTiny, 1000, "bounds the similarity when the distance is 0"},
     &Policy::semantic_offset},
    {{"frontier_tasks", "tasks", 1, 1000, "one task says too little, many include old work"},
     &Policy::frontier_tasks},
    {{"recency_exponent", "exponent", 0, 100,
      "fresh tasks first, but a queue that only takes the newest learns nothing; 0: off"},
     &Policy::recency_exponent,
     0},
    {{"age_exponent", "exponent", 0, 100, "what was quiet for weeks is seldom next; 0: off"},
     &Policy::age_exponent,
     0},
    {{"time_proximity_exponent", "exponent", 0, 100,
      "tasks created together tend to be done together; 0: off"},
     &Policy::time_proximity_exponent,
     0},
    {{"order_proximity_exponent", "exponent", 0, 100,
      "what was created together is worked through together; 0: off"},
     &Policy::order_proximity_exponent,
     0},
    {{"order_proximity_tasks", "tasks", 1, 1000, "work goes on in several places at once"},
     &Policy::order_proximity_tasks},
    {{"order_proximity_failures", "failures", kTiny, 1e9,
      "so many of its labels halve the exponent: where tasks fail, which will succeed matters more "
      "than which was created next"},
     &Policy::order_proximity_failures},
    {{"proximity_hours", "hours", kTiny, 1e9,
      "so long after a completion it says half as much about what is next"},
     &Policy::proximity_hours},
    {{"context_overlap_weight", "exponent", 0, 100, "work of one kind is done in a row; 0: off"},
     &Policy::context_overlap_weight,
     0},
    {{"reward_weight", "exponent", 0, 100, "at most a factor of e at 1; 0: off"},
     &Policy::reward_weight,
     0},
    {{"reward_half_life_hours", "hours", kTiny, 1e9, "a reward moves attention for about a day"},
     &Policy::reward_half_life_hours},
    {{"attention_exponent", "exponent", 0, 100,
      "labels that were worked on lately are likely next; 0: off"},
     &Policy::attention_exponent,
     0},
    {{"success_rate_alpha", "successes", 0.001, 1e6,
      "prior of the attention; with the next also the base rate before one is known"},
     &Policy::success_rate_alpha},
    {{"success_rate_beta", "failures", 0.001, 1e6, "prior failures"}, &Policy::success_rate_beta},
    {{"success_rate_exponent", "exponent", 0, 100,
      "how sharply labels that fail again and again are avoided; 0: off"},
     &Policy::success_rate_exponent,
     0},
    {{"success_rate_prior", "outcomes", 0.001, 1e6,
      "one failure says little of a label: so many outcomes at the base rate are added"},
     &Policy::success_rate_prior},
    {{"success_rate_floor", "factor", 0, 1,
      "bounds what outcomes of others can do through labels, by this and its inverse; 0: no bound"},
     &Policy::success_rate_floor},
    {{"evidence_half_life_days", "days", kTiny, 1e9, "what worked months ago may not work now"},
     &Policy::evidence_half_life_days},
    {{"failure_penalty", "factor per failure", 0.01, 100,
      "each failure lowers a task; above 1 it draws attention, as tests want; 1: off; 0 would make "
      "failed tasks equal"},
     &Policy::failure_penalty,
     1},
    {{"untried_failures", "failures", 0, 20,
      "what a task is taken to have failed before its first outcome: a new test is not yet one "
      "that passes"},
     &Policy::untried_failures},
    {{"urgency_base", "factor per priority", 1, 1000,
      "what people set goes first: P1 weighs so much more than P2; 1: off"},
     &Policy::urgency_base,
     1},
    {{"due_weight", "factor", 0, 1000,
      "what is due goes before what is not: what having no slack adds; 0: off"},
     &Policy::due_weight,
     0},
    {{"due_hours", "hours", kTiny, 1e9, "so much slack halves what is added"}, &Policy::due_hours},
    {{"pressing_days", "days", 0, 1e9,
      "so long since anything happened a P0 goes first, and what has no slack left; 0: neither"},
     &Policy::pressing_days,
     0},
    {{"strict", "true or false", 0, 1,
      "the priority that people set decides, and all else orders what has the same"},
     &Policy::strict},
    {{"unblocks_urgency", "exponent", 0, 1,
      "a task is as urgent as what waits for it, if that is more so; 0: off"},
     &Policy::unblocks_urgency,
     0},
    {{"unblocks_exponent", "exponent", 0, 100,
      "the more tasks wait for one, the sooner it is to be done; 0: off"},
     &Policy::unblocks_exponent,
     0},
    {{"unblocks_decay", "factor per step", 0, 1,
      "what waits behind what waits weighs less, as there is more to do before it"},
     &Policy::unblocks_decay},
    {{"duration_exponent", "exponent", 0, 100,
      "of what is worth as much, the shorter goes first; 0: off"},
     &Policy::duration_exponent,
     0},
    {{"waiting_exponent", "exponent", 0, 100, "what waits for long rises, without end; 0: off"},
     &Policy::waiting_exponent,
     0},
    {{"waiting_days", "days", kTiny, 1e9, "so long nobody need ask why a task is not done"},
     &Policy::waiting_days},
    {{"waiting_share", "claims", 0, 1e9,
      "of so many one is for the task that waits longest beyond waiting_days, so that none waits "
      "for ever; 0: none"},
     &Policy::waiting_share},
    {{"learn", "true or false", 0, 1,
      "exponents fit how a project works: they are learned from the order of its completions"},
     &Policy::learn},
    {{"close_on_success", "true or false", 0, 1, "a task that succeeded is done"},
     &Policy::close_on_success},
    {{"max_related", "nodes", 0, 10000, "one success cannot reward the whole graph"},
     &Policy::max_related},
    {{"failure_guides_factor", "factor", 0, 1,
      "a failure multiplies the recommendation of a task by this"},
     &Policy::failure_guides_factor},
    {{"forgiveness", "factor", 0, 1,
      "a success multiplies the weight of a task's failures by this"},
     &Policy::forgiveness},
    {{"pivot_factor", "factor", 0, 1,
      "a change of direction multiplies earlier recommendations and failures by this"},
     &Policy::pivot_factor},
    {{"attempts", "failures in a row", 0, 1000,
      "a task that failed so often waits for a person, who sets its state anew; 0: no limit"},
     &Policy::attempts},
    {{"test.by_failures", "true or false", 0, 1,
      "a node of type TEST stays open and is ordered by its own failures alone; false: it is a "
      "task as others"},
     &Policy::test_by_failures},
    {{"test.base", "priority", kTiny* kTiny, 1000,
      "tests are compared with each other: among tasks they stand behind these"},
     &Policy::test_base},
    {{"test.failure_factor", "factor per failure", 0.01, 1000,
      "each failure of a test draws attention to it"},
     &Policy::test_failure_factor},
    {{"test.forgiveness", "factor", 0, 1,
      "a success multiplies what a test's failures count by this"},
     &Policy::test_forgiveness},
    {{"test.most_failures", "failures", 0, 20, "bounds what failures one after the other count"},
     &Policy::test_most_failures},
    {{"test.untried_failures", "failures", 0, 20,
      "what a test is taken to have failed before its first outcome: it is not yet one that "
      "passes"},
     &Policy::test_untried_failures},
    {{"top_k", "tasks", 0, 1000, "how many tasks a recalibration recommends"}, &Policy::top_k},
    {{"guides_relative", "true or false", 0, 1,
      "recommendations in shares of the first, so that units of priority do not matter"},
     &Policy::guides_relative},
    {{"mirrored", "tasks", 0, 1e+09, "how many tasks the view golden_path has; 10,000 at most"},
     &Policy::mirrored},
    {{"recorder.keep_days", "days", 1, 36500,
      "a recorded call is of use until it was scored and exported; a day is always left"},
     &Policy::recorder_keep_days},
    {{"time_zone", "a name such as Europe/Berlin, or +02:00", 0, 0,
      "of times given without one, such as `friday`"},
     &Policy::time_zone},
};

constexpr Field<TypePolicy> kTypeFields[] = {
    {{"type.*.decay_per_day", "factor per day", kTiny, 1, "0.98: a half-life of 34.3 days"},
     &TypePolicy::decay_per_day},
    {{"type.*.floor", "weight", 0, kMaxWeight, "decay stops here: forgetting never destroys"},
     &TypePolicy::floor},
    {{"type.*.dormant_below", "weight", 0, kMaxWeight,
      "weaker edges are dormant; 0.2: after 79.7 days"},
     &TypePolicy::dormant_below},
    {{"type.*.rate", "weight per reinforcement of 1", 0, kMaxWeight,
      "repetition, not one event, makes an edge strong"},
     &TypePolicy::rate},
    {{"type.*.cap", "weight", kTiny, kMaxWeight, "bounds the effect of any signal"},
     &TypePolicy::cap},
    {{"type.*.max_gain_per_day", "weight per UTC day", 0, kInf,
      "bounds a burst of signals; inf: none"},
     &TypePolicy::max_gain_per_day},
    {{"type.*.protected", "true or false", 0, 1, "never decays, never dormant"},
     &TypePolicy::is_protected},
    {{"type.*.structural", "true or false", 0, 1, "raises its target's factor `structural`"},
     &TypePolicy::structural},
    {{"type.*.context", "true or false", 0, 1, "the target is a label of the source"},
     &TypePolicy::context},
};

}  // namespace

constexpr FieldInfo kNodeField = {
    "node.*.work", "true or false", 0, 1,
    "a node of this type can be taken; false: what it blocks waits for it all the same"};
constexpr FieldInfo kContextField = {"context.*.evidence", "true or false", 0, 1,
                                     "outcomes of its tasks say something of others with it; "
                                     "false: it says who does a task, when it "
                                     "is released or how urgent it is"};
constexpr FieldInfo kLabelField = {
    "label.*.priority", "0 (most urgent) to 4", -1, 4,
    "how urgent a task with this label is, where nobody says it; -1: the label says nothing"};
constexpr FieldInfo kReasonField = {
    "reason.*.failure", "true or false", 0, 1,
    "a tracker that closed a task for a reason that begins so says that it failed"};
constexpr FieldInfo kSuccessField = {
    "reason.*.success", "true or false", 0, 1,
    "a tracker that closed a task for a reason that begins so says that it was done"};

void switch_factors_off(Policy& policy) {
  for (const Field<Policy>& field : kPolicyFields)
    if (field.off) policy.*std::get<double Policy::*>(field.member) = *field.off;
}

std::span<const Field<Policy>> policy_fields() { return kPolicyFields; }
std::span<const Field<TypePolicy>> type_fields() { return kTypeFields; }

std::span<const FieldInfo> fields() {
  static constexpr auto kInfos = [] {
    std::array<FieldInfo, std::size(kPolicyFields) + std::size(kTypeFields) + 5> infos{};
    std::size_t i = 0;
    for (const auto& f : kPolicyFields) infos[i++] = f.info;
    for (const auto& f : kTypeFields) infos[i++] = f.info;
    for (const auto& info : {kNodeField, kContextField, kLabelField, kReasonField, kSuccessField})
      infos[i++] = info;
    return infos;
  }();
  return kInfos;
}

}  // namespace hebb::reward
