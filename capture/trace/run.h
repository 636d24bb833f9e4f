// A whole run of `hebb trace`: COMMAND or stdin, filtered to stdout, folded as it goes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "capture/trace/filter.h"
#include "capture/trace/fold.h"
#include "capture/trace/pump.h"
#include "capture/trace/spawn.h"

namespace hebb::capture {

struct TraceRunOptions {
  std::vector<std::string> command;  // empty: filter `in`
  int in = 0;
  int out = 1;
  std::string key;
  // The present, asked when an event does not say its time.
  std::function<TimeMs()> clock = [] { return TimeMs{0}; };
  std::function<void(const TraceEvent&)> seen;  // told of each event, if set
};

struct TraceRun {
  ProcessEnd end;  // of the command; of a filter: what this process should end with
  TraceFilter::Stats lines;
  TraceFold fold;
  std::string error;  // the input or output failed: what to tell; empty: neither did
};

// Returns when the output is complete: when every process that holds the command's stdout has
// closed it, and the command has ended; once it has, a signal ends the wait for the others. Throws
// std::system_error when the command cannot be started.
TraceRun run_trace(const TraceRunOptions& options);

}  // namespace hebb::capture
