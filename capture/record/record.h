// `hebb record`: an MCP server run with every tool call of its client written to action_log, and
// with nothing else changed for either.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/record/turns.h"
#include "capture/trace/spawn.h"

namespace hebb::capture {

struct RecordOptions {
  std::string database;  // made if there is none; may be out of reach: see record_writer.h
  // The server and its arguments, found on PATH; or the address of one behind HTTP, alone.
  std::vector<std::string> command;
  // With every request to a server behind HTTP.
  std::vector<std::pair<std::string, std::string>> headers;
  std::optional<std::string> agent_id;    // default: one of this process's own
  std::optional<std::string> session_id;  // default: one of this process's own
  std::int64_t turn_grace_ms = Turns::kGraceMs;
  int client_in = 0, client_out = 1;           // lead to /dev/null when the recording is over
  std::function<void(std::string_view)> warn;  // from any thread; a bounded number of times
};

struct RecordEnd {
  ProcessEnd server;  // how this process should end too: end_like(); 0 for a server behind HTTP
  std::int64_t stored = 0;      // calls in the database
  std::int64_t lost = 0;        // calls that could not be
  std::int64_t lost_lines = 0;  // that went by unseen: calls may have been among them
};

// Returns when the server has ended and all it said is delivered. To be called from the main
// thread, before any other is started: signals are blocked while it runs, and the server dies with
// the caller's thread. Throws std::system_error where the server cannot be started (126, 127 are
// for the caller), std::invalid_argument where an address is none.
RecordEnd run_record(const RecordOptions& options);

}  // namespace hebb::capture
