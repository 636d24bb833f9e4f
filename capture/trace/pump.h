// Moves bytes from one descriptor to another through a TraceFilter. The bytes of one read are
// written before the next read.
#pragma once

#include <cstdint>

#include "capture/trace/filter.h"

namespace hebb::capture {

enum class PumpEnd : std::uint8_t {
  input_ended,
  reader_gone,   // nobody reads our output any more (EPIPE)
  write_failed,  // the output cannot be written: `error` says why
  read_failed,
  interrupted,  // by a StopRequest
};

struct PumpResult {
  PumpEnd end = PumpEnd::input_ended;
  int error = 0;  // errno of write_failed or read_failed; EINTR: interrupted with output unwritten
};

// Reads `in` to its end and writes to `out`. Works with pipes, files, terminals and sockets,
// blocking or not; pipes are made larger if the system allows. A StopRequest ends it, even while it
// waits; with Stopped::drains, after it has passed on what is in the pipe `in`. SIGPIPE must be
// ignored.
enum class Stopped : std::uint8_t { ends, drains };
PumpResult pump(int in, int out, TraceFilter& filter, Stopped when_stopped);

}  // namespace hebb::capture
