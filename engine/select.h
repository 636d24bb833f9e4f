// The golden path of some tasks only: those of this run, in the time that there is, and those first
// that what was changed concerns. For tests, above all.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/reasons.h"

namespace hebb {

// Edges test -> file, learned when a test fails in a run that was to test a change of the file.
inline constexpr std::string_view kFailsWith = "FAILS_WITH";

struct SelectedRow {
  PathRow row;                    // with reasons; the priority as it was multiplied
  std::optional<double> seconds;  // where there is a budget: what the task is expected to take
  double change_proximity = 1;    // what the changed files multiplied the priority with
};

// Best first, at most query.top; counts: how many there are with those that this leaves out.
// O(candidates, and the events of those that a budget asks about).
std::vector<SelectedRow> rank_selected(Engine& engine, const RankQuery& query,
                                       const Selection& selection, RankCounts* counts = nullptr);

}  // namespace hebb
