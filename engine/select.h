// The golden path of some tasks only: those of this run, in the time that there is, and those first
// that what was changed concerns. For tests, above all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"

namespace hebb {

// Edges test -> file, learned when a test fails in a run that was to test a change of the file.
inline constexpr std::string_view kFailsWith = "FAILS_WITH";

struct Selection {
  // Only these. One that is no node is ranked as a new task would be; one that is a node and no
  // candidate is left out.
  std::optional<std::vector<std::string>> among;
  // As many as fit into so many seconds, one after the other: one that does not fit into what is
  // left is passed over. A task takes the mean of its last 20 executionTimeMs; one without any, the
  // mean of the others.
  std::optional<double> budget_seconds;
  // Ids of nodes: the priority of a task with edges to them is multiplied by 1 + the sum of the
  // weights of those that count.
  std::vector<std::string> changed;

  bool selects() const { return among || budget_seconds || !changed.empty(); }
};

struct SelectedRow {
  PathRow row;                    // with reasons; the priority as it was multiplied
  std::optional<double> seconds;  // where there is a budget: what the task is expected to take
};

// Best first, at most query.top. O(candidates, and the events of those that a budget asks about).
std::vector<SelectedRow> rank_selected(Engine& engine, const RankQuery& query,
                                       const Selection& selection);

}  // namespace hebb
