// hebb over HTTP: one thread for sockets, a small pool for operations.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "api/session.h"
#include "serve/sockets.h"

namespace hebb::serve {

struct ServeOptions {
  Address address;
  std::vector<std::string> hosts;   // other names that Host may have
  std::string token;                // empty: none is asked for
  int request_timeout_ms = 30'000;  // for a request to be there, and for its answer to be taken
  int stop_timeout_ms = 10'000;     // for what runs when the end is asked for
  std::size_t most_connections = 512;
  std::size_t most_waiting = 128;                  // requests; more are told to come back
  std::function<void(std::string_view line)> log;  // told a line in logfmt; by one thread
};

// Serves until SIGTERM or SIGINT. Throws std::runtime_error where it cannot listen, and where an
// address that others can reach has no token.
void run_server(api::Session& session, const ServeOptions& options);

}  // namespace hebb::serve
