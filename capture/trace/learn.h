// What a trace taught, written to the database: TOOL nodes, and one link for each observation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "capture/trace/fold.h"
#include "capture/trace/tool_signals.h"
#include "engine/engine.h"

namespace hebb::capture {

// When what was seen may have happened. A traced program whose clock is wrong cannot date what is
// learned outside of it.
struct TimeBounds {
  TimeMs earliest = 0;
  TimeMs latest = std::numeric_limits<TimeMs>::max();
};

struct Learned {
  std::uint64_t nodes = 0;       // new TOOL nodes
  std::uint64_t links = 0;       // that counted
  std::uint64_t duplicates = 0;  // of the same calls, learned before
  // About an id that is not a tool's, of a tool that was deleted, older than the gc that forgot one
  // of its tools, or an overlap past TraceFold::Bounds::observations.
  std::uint64_t skipped = 0;
};

// In order of time, in transactions of a few thousand, each built when its turn comes. Keys are
// made of both calls' trace ids, tools and starts, so that a trace learned twice counts once. A
// node that exists and is no TOOL, or is deleted, is never linked. Throws sql::Error; what was
// committed before stays, and learning the same trace again completes it.
Learned learn(Engine& engine, const TraceFold& fold, const TimeBounds& bounds);

}  // namespace hebb::capture
