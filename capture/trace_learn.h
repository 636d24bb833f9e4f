// What a trace taught, written to the database: TOOL nodes, and one link for each observation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "capture/trace_fold.h"
#include "engine/engine.h"

namespace hebb::capture {

inline constexpr std::string_view kToolType = "TOOL";

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
  std::uint64_t skipped = 0;     // about an id that is not a tool's, or of a tool that was deleted
};

// Nodes first, then links, each in the ledger's order. Keys are made of both calls' trace ids,
// tools and starts, so that a trace learned twice counts once. A node that exists and is no TOOL,
// or is deleted, is never linked.
std::vector<Event> trace_events(const TraceFold& fold, const State& state, const TimeBounds& bounds,
                                std::uint64_t& skipped);

// Appends them, in transactions of a few thousand. Throws what Engine::append throws; what was
// committed before stays, and learning the same trace again completes it.
Learned learn(Engine& engine, const TraceFold& fold, const TimeBounds& bounds);

}  // namespace hebb::capture
