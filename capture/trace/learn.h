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

// Writes in order of time, in transactions of a few thousand events. Keys are made of both calls'
// trace ids, tools and starts, so that a trace learned twice counts once. A node that is not a
// TOOL, or is deleted, is never linked. Throws sql::Error; committed batches stay, and learning the
// same trace again completes it. Also skipped are the overlaps past
// TraceFold::Bounds::observations.
ObservationReport learn(Engine& engine, const TraceFold& fold, const TimeBounds& bounds);

}  // namespace hebb::capture
