// Writes the observations of a trace to the database: TOOL nodes, and one link for each
// observation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "capture/trace/fold.h"
#include "capture/trace/tool_observations.h"
#include "engine/engine.h"

namespace hebb::capture {

// The period to which the times of a trace are limited, in case the traced program's clock is
// wrong.
struct TimeBounds {
  TimeMs earliest = 0;
  TimeMs latest = std::numeric_limits<TimeMs>::max();
};

struct LearnReport {
  std::uint64_t nodes = 0;       // new TOOL nodes
  std::uint64_t links = 0;       // links that counted
  std::uint64_t duplicates = 0;  // links learned before
  // Observations of an id that is not a tool's or of a deleted tool, those older than a gc that
  // removed one of the tools, and overlaps past TraceFold::Bounds::observations.
  std::uint64_t skipped = 0;
};

// Writes in order of time, in transactions of a few thousand events. Keys are made of both calls'
// trace ids, tools and starts, so that a trace learned twice counts once. A node that is not a
// TOOL, or is deleted, is never linked. Throws sql::Error; committed batches stay, and learning the
// same trace again completes it.
LearnReport learn(Engine& engine, const TraceFold& fold, const TimeBounds& bounds);

}  // namespace hebb::capture
