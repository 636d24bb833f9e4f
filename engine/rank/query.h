// Queries of a ranking, and its rows.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/embed/embedder.h"
#include "engine/rank/shards.h"
#include "engine/values/limits.h"
#include "reward/factors.h"

namespace hebb {

// Which nodes are asked for: of this type, in this state, with a context edge to each of these
// labels and to none of those, of this project or one in it ("Home.Garden" is in "Home"), assigned
// to this one, and not of those types. Empty fields do not filter. Labels and assignees are given
// by id or name; capital letters make no difference.
struct WhichNodes {
  std::string type, state;
  std::vector<std::string> labels, not_labels;
  std::string project, assignee;
  std::vector<std::string> not_types = {};
  bool operator==(const WhichNodes&) const = default;
};

// What is done as a whole: a task, or several that a test runner can only run together.
struct Unit {
  std::string name;
  bool is_part = false;  // the task's duration is contained in that of another task of the unit
};

// Some tasks only, or others first. For tests, above all.
struct Selection {
  // Only these. One that is no node is ranked as a new task would be; one that is a node and no
  // candidate is left out.
  std::optional<std::vector<std::string>> among;
  // As many tasks as fit into so many seconds, one after the other: a task that does not fit into
  // the rest is passed over. A task takes the mean of its last 20 executionTimeMs; one without any,
  // its estimate; one without either, the median of the others.
  std::optional<double> budget_seconds;
  // One part of them, by the same durations; a budget is then that of the part.
  std::optional<Shard> shard;
  // By id of a task: budget and shard take all tasks of a unit, or none. A task without a unit is
  // one by itself.
  std::map<std::string, Unit, std::less<>> units = {};
  // Ids of nodes: the priority of a task with edges to them is multiplied by 1 + the sum of the
  // weights of those that count.
  std::vector<std::string> changed;
  std::set<std::string, std::less<>> without;  // never these
};

struct RankQuery {
  std::size_t top = 3;
  WhichNodes which;             // no state: OPEN
  std::size_t offset = 0;       // how many rows to leave out at the beginning
  bool seed = false;            // the profile `seed` rather than the policy in force
  std::string near;             // a node's id, or a text for the embedder
  std::vector<float> vector;    // rank as if the frontier had this one
  std::optional<TimeMs> as_of;  // the state at that time, ranked at that time
  std::optional<TimeMs> now;    // the time to rank at; default: LedgerFacts::ranked_at()
  // The time of the edges' weights, not after `now`; default: LedgerFacts::ranked_at().
  std::optional<TimeMs> weights_at;
  std::optional<TimeMs> unclaimed_at;  // leave out tasks that are claimed at that time
  Embedder* embedder = nullptr;        // for a text
  // Called with the bytes of each row's texts; an exception ends the query.
  std::function<void(std::size_t)> took = {};
  Selection selection;
  bool reasons = false;     // with RankRow::reasons
  bool node_facts = false;  // with the members of NodeFacts
  // For this agent: its own last completed task counts as completed last of all, if it is among the
  // last 32 tasks completed. An explicit `near` or `vector` goes before it. Empty: for anyone.
  std::string agent;
  // Only tasks to which nothing has happened for the policy's waiting_days, not even a failure, by
  // how long that is.
  bool longest_waiting = false;
};

// What people, and their tracker, set on a node.
struct NodeFacts {
  // The contexts that its counting edges lead to, by name (by id, where one has none), sorted.
  std::vector<std::string> labels, assignees;
  std::optional<std::int64_t> set_priority;  // 0 (most urgent) to 4, as they set it
  TimeMs due_at = graph::kNever;
  std::string number, url;  // in its tracker; the url is one of http or https, or empty
};

// A row of the ranking.
struct RankRow : NodeFacts {
  std::int64_t rank = 0;
  std::string id, name;
  double relative = 0;  // priority divided by the largest of the rows
  reward::Factors factors;
  std::string tier;  // of reward::tier_name()
  TimeMs created_at = graph::kNever;
  TimeMs duration_ms = graph::kNever;  // how long it took last, as the graph has it
  // Where they are asked for: up to three reasons for its place, the strongest first.
  std::vector<std::string> reasons = {};
  std::optional<double> seconds =
      {};  // where there is a budget or a shard: what the task is expected to take
  // Where files are changed: what Selection::changed multiplied the priority with.
  std::optional<double> change_proximity = {};
};

// The order of the ranking, of rows of several databases too: a row says all that decides. False
// where both are level.
bool goes_before(const RankRow& a, const RankRow& b);

// Figures of a ranking as a whole.
struct RankSummary {
  std::size_t total = 0;      // how many tasks fit the query, with those that `top` leaves out
  std::size_t claimed = 0;    // how many others would, if nobody had claimed them
  TimeMs at = graph::kNever;  // the time of the ranking
};

}  // namespace hebb
