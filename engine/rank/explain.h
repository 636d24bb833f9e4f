// Why a task has its place in the ranking, and how an edge got its weight.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/current/folded.h"
#include "reward/factors.h"

namespace hebb {

// An event as a reason, and its effect.
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
  std::string tier;     // see RankRow
  std::vector<std::string> blockers;
  std::int64_t rank = 0, candidates = 0;
  double relative = 0;
  std::string sentence;              // its place, and why
  std::vector<std::string> reasons;  // for its place, as engine/rank/reasons.h finds them
  TimeMs at = 0;                     // as of
  reward::Factors factors;
  std::vector<FactorLine> lines;
  // For a node without a state: what made and changed it, then the last links that go out from it.
  std::vector<Cause> history;
};

struct FactorAgainst {
  std::string name;
  double mine = 0, theirs = 0;
  double ratio = 0;  // mine / theirs
};
// One task against another, both as of the same time.
struct Against {
  std::string id, name;  // the other's, as the next three
  std::optional<std::int64_t> rank;
  double priority = 0;
  std::string tier;
  std::string winner;                  // the id of the one that goes first
  std::string decides;                 // the factor that raises it most; ranked, a tier, tie
  std::vector<FactorAgainst> factors;  // what decides most first
};
Against compare(const TaskExplanation& mine, const TaskExplanation& theirs);

struct EdgeStep {
  Cause cause;
  std::string rule;              // "create 1", "reinforce 0.8", "scale 0.5", …
  std::optional<double> before;  // effective just before; nullopt: not there
  std::optional<double> after;
};
struct EdgeExplanation {
  EdgeName edge;
  bool exists = false;
  double weight = 0, stored_weight = 0;       // effective at `at`; as last touched
  TimeMs touched_at = graph::kNever, at = 0;  // kNever: it does not exist
  bool dormant = false;
  std::string properties = "{}";
  std::vector<EdgeStep> steps;
};

// The weight of an edge over time, to be drawn.
struct CurvePoint {
  TimeMs at = 0;
  double weight = 0;  // effective; 0: there is no edge
};
struct EdgeCurve {
  std::optional<double> cap, dormant_below;
  std::optional<double> half_life_days;           // absent: it does not fade
  std::optional<std::vector<CurvePoint>> points;  // by time; at each step two, before and after it
};
// Until the time of the explanation. type: the edge's; about: how many points beside those of
// steps.
EdgeCurve curve_of(const EdgeExplanation& x, const reward::TypePolicy& type, std::int64_t about);

// See engine/engine.h.
TaskExplanation explain(Folded& folded, std::string_view id, std::optional<TimeMs> as_of,
                        std::optional<TimeMs> now);
EdgeExplanation explain(Folded& folded, const EdgeName& edge, std::optional<TimeMs> as_of,
                        std::optional<TimeMs> now);

}  // namespace hebb
