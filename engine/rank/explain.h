// Why a task has its place in the ranking, and how an edge got its weight.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/current/folded.h"
#include "reward/factors.h"

namespace hebb {

// An event as a reason: what it was and what it did.
struct Cause {
  std::int64_t event = 0;  // its position; 0: no event, an edge's state only
  TimeMs at = 0;
  std::string what;  // "success of task-3", "link a PARENT_OF b", …
};

// One edge (or other ground) that a factor is made from.
struct Ground {
  std::string what;             // the edge, or the fact
  double value = 0;             // what it adds
  std::vector<Cause> causes;    // oldest first; the last few where there are many
  std::size_t cause_count = 0;  // with those that are left out
};

struct FactorLine {
  std::string name;  // semantic, structural, base, or that of a factor
  double value = 0;
  std::string formula;  // with the numbers in it
  std::vector<Ground> grounds;
};

struct TaskExplanation {
  std::string id, name, type, state;
  bool ranked = false;
  std::string why_not;  // if it is not ranked, why: closed, blocked, snoozed, deleted, unknown
  bool pinned = false;  // above what is not, whatever its priority
  std::vector<std::string> blockers;
  std::int64_t rank = 0, candidates = 0;
  double relative = 0;
  TimeMs at = 0;  // as of
  reward::Factors factors;
  std::vector<FactorLine> lines;
  // For a node without a state: what made and changed it, then the last links that go out from it.
  std::vector<Cause> history;
};

struct EdgeStep {
  Cause cause;
  std::string rule;              // "create 1", "reinforce 0.8", "scale 0.5", …
  std::optional<double> before;  // effective just before; nullopt: not there
  std::optional<double> after;
};
struct EdgeExplanation {
  EdgeName edge;
  bool exists = false;
  double weight = 0, stored_weight = 0;  // effective at `at`; as last touched
  TimeMs touched_at = 0, at = 0;
  bool dormant = false;
  std::string properties;
  std::vector<EdgeStep> steps;
};

// As those of engine/engine.h.
TaskExplanation explain(Folded& folded, std::string_view id, std::optional<TimeMs> as_of,
                        std::optional<TimeMs> now);
EdgeExplanation explain(Folded& folded, const EdgeName& edge, std::optional<TimeMs> as_of,
                        std::optional<TimeMs> now);

}  // namespace hebb
