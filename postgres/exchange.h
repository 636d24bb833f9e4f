// Waiting for the server, never longer than told.
#pragma once

#include <chrono>
#include <string>

#include "postgres/connection.h"

namespace hebb::postgres {

using Clock = std::chrono::steady_clock;

// Throws Error.
OwnedConnection connect(const std::string& conninfo, int timeout_ms, Clock::time_point deadline);

// The next result of what was sent, or null after the last of a statement. Throws Error, lost(), if
// the connection breaks, or if nothing comes or goes for as long as patience.
OwnedResult next_result(pg_conn* connection, std::chrono::milliseconds patience);

}  // namespace hebb::postgres
