// Every constant of the engine, with default, unit, bounds and reason, checked in one place.
#pragma once

#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace hebb::reward {

// How edges of one type behave. Weights are dimensionless.
struct TypePolicy {
  double decay_per_day = 0.98;
  double floor = 0.1;
  double dormant_below = 0.2;
  double rate = 0.1;
  double cap = 5.0;
  double max_gain_per_day = 1.0;  // +infinity: no limit
  bool is_protected = false;      // never decays, never dormant
  bool structural = true;
  bool context = false;  // the target is a context of the source

  bool operator==(const TypePolicy&) const = default;
};

static_assert(TypePolicy{}.floor < TypePolicy{}.dormant_below, "a forgotten edge goes dormant");
static_assert(TypePolicy{}.dormant_below < TypePolicy{}.cap, "an edge at its cap is awake");
static_assert(TypePolicy{}.rate <= TypePolicy{}.max_gain_per_day,
              "one reinforcement of 1 fits a day");

struct Policy {
  // --- base ---
  double prior = 0.5;
  double semantic_weight = 2.0;
  double structural_weight = 1.0;
  double semantic_offset = 0.1;
  int frontier_tasks = 2;  // how many of the tasks completed last make the frontier vector
  // --- factors (exponent or weight 0: factor is 1) ---
  double recency_exponent = 0.2;
  double age_exponent = 0.3;
  double time_proximity_exponent = 0.7;
  double order_proximity_exponent = 0.7;
  int order_proximity_tasks = 3;        // how many of the tasks completed last
  double order_proximity_failures = 3;  // failures of its contexts that halve the exponent
  double proximity_hours = 4;  // after the last completion: the exponents of both are halved
  double context_overlap_weight = 0.25;
  double reward_weight = 0.5;
  double reward_half_life_hours = 24;
  double attention_exponent = 3;
  double success_rate_alpha = 2;  // Beta prior of the attention
  double success_rate_beta = 1;
  double success_rate_exponent = 4;
  double success_rate_prior = 12;    // outcomes that the base rate counts as
  double success_rate_floor = 0.25;  // labels give at least this, at most 1 / this; 0: no bound
  double evidence_half_life_days = 30;
  double failure_penalty = 0.85;  // 1: no effect; above 1 failures draw attention
  double untried_failures = 0;    // failures that a task without any outcome is taken to have
  double urgency_base = 1.7;      // between one priority that people say and the next; 1: no effect
  double due_weight = 8;          // what having no slack adds; 0: no effect
  double due_hours = 24;          // of slack halve that
  double pressing_days = 14;      // so long a P0 and tasks without slack go first; 0: neither
  bool strict = false;            // what people say decides, the rest orders within
  double unblocks_urgency = 1;    // how far a task is as urgent as what waits for it; 0: not
  double unblocks_exponent = 0.2;  // of how many wait for it
  double unblocks_decay = 0.8;     // factor for each further step of waiting
  double duration_exponent = 1.4;  // of how long it takes; 0: no effect
  double waiting_exponent = 0;     // of how long nothing happened to it; 0: no effect
  double waiting_days = 7;         // until this begins; and the unit of `age`
  int waiting_share = 20;  // one of so many claims takes the task that waits longest; 0: none
  bool learn = true;       // seven of the exponents, and the base rate, from completions: learned.h
  // --- outcomes ---
  bool close_on_success = true;
  int max_related = 64;
  double failure_guides_factor = 0.7;
  double forgiveness = 0.0;  // a success multiplies frontier -> task REWARD_NEGATIVE by this
  double pivot_factor = 0.5;
  int attempts = 0;  // so many failures in a row, and a task waits for a person; 0: never
  // --- nodes of type TEST ---
  bool test_by_failures = true;  // false: they are tasks as all others, and the rest says nothing
  double test_base = 1e-6;       // of their priority
  double test_failure_factor = 1.5;
  double test_forgiveness = 0.5;  // a success multiplies what its failures count by this
  double test_most_failures = 20;
  double test_untried_failures = 1;
  // --- recalibration ---
  int top_k = 3;
  bool guides_relative = true;  // GUIDES x = priority / first priority; false: x = priority

  // --- upkeep (no ranking reads it) ---
  int mirrored = 1000;             // rows of the ranking that the tables keep
  double recorder_keep_days = 14;  // how long `hebb actions prune` leaves a recorded call
  std::string time_zone = "UTC";   // of times that people give without one

  // --- no setting ---
  double base_rate = 0;  // the share of outcomes that are successes; 0: not known, so the prior's

  TypePolicy other;                         // types not named
  std::map<std::string, TypePolicy> types;  // by edge type name
  // By the name of a node's type, in any case: whether it is work. A node that is no work is never
  // a candidate, though tasks that it blocks wait for it. Types not named are work.
  std::map<std::string, bool> node_types;
  // By the name of a context's type, in any case: whether it is evidence about its tasks, and
  // something that they share. A label that says a priority is a PRIORITY. Types not named are.
  std::map<std::string, bool> context_types;
  // By the names of labels and the beginnings of reasons, of which letters and digits count, in any
  // case: "priority: high" is Priority/High, too.
  std::map<std::string, int> labels;  // priority of a task with it, where people set none: 0
                                      // (most) to 4; -1: the label says nothing
  // Reasons with which a tracker closes tasks that failed; that were done.
  std::map<std::string, bool> failure_reasons, success_reasons;

  static Policy learned();  // the default
  static Policy seed();     // the published formula, for comparison
  const TypePolicy& type(std::string_view edge_type) const;
  bool is_work(std::string_view node_type) const;  // O(node_types)
  // Whether a context of this type and id is evidence. O(context_types + labels).
  bool is_evidence(std::string_view node_type, std::string_view id) const;
  // kNoPriority's value, -1: it says nothing. id: of its node, "label-P1" or "P1". O(labels).
  int label_priority(std::string_view id) const;
  bool is_failure(std::string_view reason) const;  // O(failure_reasons)
  bool is_success(std::string_view reason) const;  // O(success_reasons)

  bool operator==(const Policy&) const = default;
};

// A wrong key or value; the message says which, the allowed values, and what to do.
class BadPolicy : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

// Keys are the field names above ("recorder.keep_days" for recorder_keep_days, "test.base" for
// test_base), and
// "type.NAME.FIELD" for one edge type ("protected" for is_protected), "other.FIELD" for all not
// named, "node.NAME.FIELD", "context.NAME.FIELD", "label.NAME.FIELD" and "reason.NAME.FIELD"
// likewise. Values are text: a number, "inf", true or false, or of time_zone a name. An edge type
// named for the first time starts as a copy of `other`.
struct Setting {
  std::string key;
  std::string value;
};

// Checks the value against its bounds; throws BadPolicy and leaves `policy` as it was. Conditions
// between fields (floor < cap) are checked by check(), so that settings can come in any order.
void set(Policy& policy, std::string_view key, std::string_view value);
std::vector<Setting> settings(
    const Policy& policy);         // every key with its value, shortest exact form
void check(const Policy& policy);  // throws BadPolicy

// One field in the list from which set, settings, check and the documentation are made.
struct FieldInfo {
  std::string_view key;   // "prior", or "type.*.cap" for an edge type's, "node.*.work" and so on
  std::string_view unit;  // "true or false" for a switch, whose bounds are 0 and 1
  double min, max;        // both allowed
  std::string_view reason;

  constexpr std::string_view name() const {  // the key without "type.*." and the like
    const std::size_t star = key.find('*');
    return star == key.npos ? key : key.substr(star + 2);
  }
};
std::span<const FieldInfo> fields();

// TOML: top-level keys, a table [type.NAME] per edge type, [other] for the rest, [node.NAME] per
// type of nodes, [context.NAME], [label.NAME], [reason.NAME]. Absent keys keep the defaults of
// learned(); a type that learned() does not name starts as [other]. Calls check() on the result.
Policy from_toml(std::string_view text);  // throws BadPolicy with the line
// from_toml(to_toml(p)) == p, bit for bit, for every p that names the types of learned().
std::string to_toml(const Policy& policy);

}  // namespace hebb::reward
