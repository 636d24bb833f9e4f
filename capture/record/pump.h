// Moves bytes between an MCP client and its server, both ways in one thread, each direction at its
// own pace. Bytes are written on before they are looked at; nothing is added, reordered or held
// back.
//
// Each side sees of the other what it would see without the pump: an end of input, a reader that
// has gone away, back-pressure. Memory: 64 KiB for each direction.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "capture/record/child.h"
#include "capture/record/queue.h"

namespace hebb::capture {

struct ClientEnds {
  int in = 0;   // the client writes here
  int out = 1;  // the client reads here; may be blocking, may be shared with other processes
};

struct PumpTaps {
  LineTap& to_server;
  LineTap& to_client;
};

enum class FirstEnd : std::uint8_t { none, client, server };

// Runs until the server has ended and its output is delivered (or nobody reads it any more). Both
// client descriptors refer to /dev/null afterwards. Returns which side's stream ended first.
FirstEnd pump(const ClientEnds& client, ServerProcess& server, const HeldSignals& signals,
              PumpTaps taps);

Stamp stamp_now();

}  // namespace hebb::capture
