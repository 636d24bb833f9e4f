// Reads the graph for the factors: each inbound edge of a candidate once, each context once.
//
// An edge counts if both its nodes exist (created, not deleted) and it is not dormant. The frontier
// always exists. last_activity and outcomes as evidence also use dormant edges: they did take
// place.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "reward/exact_sum.h"
#include "reward/factors.h"
#include "reward/view.h"

namespace hebb::reward {

// Ids of the names that the formulas use. A name that is not interned yet equals no id.
struct KnownNames {
  explicit KnownNames(const graph::Graph& g);

  std::uint32_t open, closed, blocked, deferred;  // states; the others are edge types
  std::uint32_t reward_positive, reward_negative, blocks, waits_for, waits_for_any, guides;
  std::uint32_t cross_references, resolves, parent_of, labeled_as;
  std::uint32_t test;  // a type of nodes
};

// The type of a test of a program.
inline constexpr std::string_view kTestType = "TEST";
// The edge from a test to a file that had changed when it failed.
inline constexpr std::string_view kFailsWith = "FAILS_WITH";

// A node of type TEST, unless the policy takes these for tasks: it is ordered by its own failures,
// and evidence about tasks does not apply to it.
bool is_test(const View& view, const KnownNames& kinds, graph::NodeId n);

// BLOCKS and the like: the target of such an edge waits for its source.
bool is_gate(const KnownNames& kinds, graph::TypeId type);

// CLOSED, or another tracker's word for it (DONE, CANCELLED, …), in any case of its letters, also
// with a hyphen or a blank for the underscore.
bool is_over(std::string_view state);

bool exists(const View& view, graph::NodeId n);
bool is_open(const View& view, const KnownNames& kinds, graph::NodeId n);  // and exists
// Exists, has a state other than CLOSED, and has not succeeded since it was last opened again: what
// it blocks has to wait.
bool is_unfinished(const View& view, const KnownNames& kinds, graph::NodeId n);
bool is_snoozed(const View& view, graph::NodeId n, TimeMs now);

// The effective weight of an edge if it counts, else 0.
double counting_weight(const View& view, graph::EdgeId e, TimeMs now);

// Whether outcomes of the tasks of a context say something of others with it, by the policy.
bool is_evidence(const View& view, graph::NodeId context);

// The contexts of a task, by NodeId, without repeats: targets of its context edges that count,
// other than itself and the frontier.
void contexts(const View& view, graph::NodeId task, TimeMs now,
              std::vector<graph::NodeId>& targets);
// The contexts of a task that are evidence.
void evidence_contexts(const View& view, graph::NodeId task, TimeMs now,
                       std::vector<graph::NodeId>& targets);

// The value of a reward at that time: its weight, halved every reward_half_life_hours.
double faded_reward(const View& view, graph::EdgeId e, TimeMs now);

// Durations of the tasks whose duration is known.
struct Durations {
  ExactSum logs, count;         // logarithms of days
  void add(double days);        // each counts as kLeastDays at least
  void take_away(double days);  // which was added
  Durations& operator+=(const Durations& other) {
    logs += other.logs;
    count += other.count;
    return *this;
  }
  double days() const;  // the geometric mean; negative: no duration is known
  bool operator==(const Durations&) const = default;
};
// How many days the task takes: its estimate, else the time of its last success; 0: not known.
double known_days(const View& view, graph::NodeId n);

// Evidence about a context, from the outcomes of its tasks: the nodes that have a context edge to
// it, dormant or not. Rewards from other nodes are not used.
struct ContextEvidence {
  ExactSum successes, failures;
  Durations durations;
  ContextEvidence& operator+=(const ContextEvidence& other) {
    successes += other.successes;
    failures += other.failures;
    durations += other.durations;
    return *this;
  }
  bool operator==(const ContextEvidence&) const = default;
};
ContextEvidence context_evidence(const View& view, const KnownNames& kinds, graph::NodeId context,
                                 TimeMs now);

// Whether the node has had no outcome of any kind. O(its inbound edges).
bool untried(const View& view, const KnownNames& kinds, graph::NodeId n);

// --- how a node stands to the focus --------------------------------------------------------------
// L2; negative: one of them has no vector.
double distance(std::span<const double> focus, std::span<const float> row);
// distance() of many rows, with the same bits, in a third of the time: several sums run side by
// side.
std::vector<double> distances(std::span<const double> focus,
                              std::span<const std::span<const float>> rows);
std::vector<double> distances_of(const View& view, const Focus& focus,
                                 std::span<const graph::NodeId> nodes);
// The number of tasks filed between the two; negative: one of them is not in the order.
double filed_between(const Focus& focus, graph::NodeId n, graph::NodeId done);
// The least filed_between() of the node and a task completed last; negative: not known.
double least_between(const Focus& focus, graph::NodeId n);
// Shared contexts / all contexts of two nodes, given by NodeId without repeats; 0 if either has
// none.
double overlap(std::span<const graph::NodeId> a, std::span<const graph::NodeId> b);

// Whether the node has succeeded, is not open again, exists and is no test.
bool is_completed(const View& view, const KnownNames& kinds, graph::NodeId n);
// The `count` completed nodes with the latest completed_at (ties: smaller id text first), latest
// first. O(nodes).
std::vector<graph::NodeId> completed_last(const View& view, std::size_t count);
// Among how many tasks completed last an agent's own is looked for.
inline constexpr std::size_t kOwnWork = 32;
// How many tasks completed last are kept to make a focus from.
std::size_t completed_for_focus(const Policy& policy);
// Whether the node has a place in the order of filing, and which of two that have comes first.
bool is_filed(const View& view, const KnownNames& kinds, graph::NodeId n);
bool filed_before(const graph::Graph& g, graph::NodeId a, graph::NodeId b);
// From what the caller keeps, completed_last() of completed_for_focus() and the order of filing:
// the mean of the vectors of the policy.frontier_tasks completed last (of those that have one), and
// the contexts of the latest at `now`.
Focus focus_from(const View& view, TimeMs now, std::vector<graph::NodeId> completed,
                 std::span<const std::uint32_t> filed);

// Values that all tasks share: the shares of fading sums that are left at `now` since the stamp,
// and how long tasks take.
struct Common {
  Common(const View& view, const KnownNames& kinds, Times times, double usual_days);
  // Sets Evidence::now and usual_days, and what fades from `stamped`.
  void apply(Evidence& evidence) const;
  Times times;
  double usual_days;                 // see Evidence
  double rewards = 1, outcomes = 1;  // outcomes: of contexts, and own ones
  double penalty_per_day = 1;        // of own failures
};

class Readiness;

// The priority that people gave the node, else the most urgent one of its labels. O(its edges).
int given_priority(const View& view, const KnownNames& kinds, graph::NodeId n);

// The evidence that depends neither on the focus nor on what its contexts learned: its own edges
// and the tasks that wait for it. Lists its contexts in `contexts`, by NodeId. `readiness` has the
// same view and times. Fading sums are as of the stamp. O(its edges and those of tasks that wait
// for it).
void gather_own(const View& view, const KnownNames& kinds, graph::NodeId n, Times times,
                Readiness& readiness, std::vector<graph::NodeId>& contexts, Evidence& out);

}  // namespace hebb::reward
