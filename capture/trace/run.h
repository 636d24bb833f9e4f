// A whole run of `hebb trace`: filters COMMAND's output or stdin to stdout and folds the events.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "capture/process.h"
#include "capture/trace/filter.h"
#include "capture/trace/fold.h"

namespace hebb::capture {

struct TraceRunOptions {
  std::vector<std::string> command;  // empty: filter `in`
  int in = 0;
  int out = 1;  // refers to /dev/null after the run
  std::string key;
  // The present time, called for events without a time.
  std::function<TimeMs()> clock = [] { return TimeMs{0}; };
  std::function<void(const TraceEvent&)> seen;  // called for each event, if set
};

struct TraceRun {
  ProcessEnd end;  // of the command; without one, how this process should end
  TraceFilter::Stats lines;
  TraceFold fold;
  std::string error;  // error text if the input or output failed; else empty
};

// Returns when the output is complete: the command has ended, and every process that has its stdout
// open has closed it. Once the command has ended, a signal ends the wait for the others. Call it
// before any thread is started: signals are blocked while it runs. Throws std::system_error if the
// command cannot be started.
TraceRun run_trace(const TraceRunOptions& options);

}  // namespace hebb::capture
