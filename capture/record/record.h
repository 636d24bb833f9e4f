// `hebb record`: runs an MCP server and writes every tool call of its client to action_log. Client
// and server notice no other change.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/process.h"
#include "capture/record/turns.h"

namespace hebb::capture {

struct RecordOptions {
  std::string database;  // made if there is none; if it cannot be opened, see record/writer.h
  // The server (found on PATH) and its arguments; or one element, the address of a server.
  std::vector<std::string> command;
  // Sent with every request to a server behind HTTP.
  std::vector<std::pair<std::string, std::string>> headers;
  std::optional<std::string> agent_id;    // default: made for this process
  std::optional<std::string> session_id;  // default: made for this process
  std::int64_t turn_grace_ms = Turns::kGraceMs;
  int client_in = 0, client_out = 1;           // both refer to /dev/null after the recording
  std::function<void(std::string_view)> warn;  // from any thread; a bounded number of times
};

struct RecordEnd {
  ProcessEnd server;            // how this process should end, by end_like(); 0 for an HTTP server
  std::int64_t stored = 0;      // calls in the database
  std::int64_t lost = 0;        // calls that could not be stored
  std::int64_t lost_lines = 0;  // unread lines, which may have been calls
};

// Returns when the server has ended and its output is delivered. Call it from the main thread
// before any other is started: signals are blocked while it runs, and the server dies with the
// caller's thread. Where no thread can be started, the server takes this process's place, and
// nothing is recorded. Throws std::system_error if the server cannot be started (the caller turns
// it into exit code 126 or 127), std::invalid_argument for a wrong address.
RecordEnd run_record(const RecordOptions& options);

}  // namespace hebb::capture
