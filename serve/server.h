// hebb over HTTP: one thread for sockets, one for reads, one for writes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "api/field.h"
#include "api/operation.h"
#include "api/session.h"

namespace hebb::serve {

enum class LogFormat : std::uint8_t { logfmt, json, none };
// A line of the log: the members of an object as `name=value`, or as JSON; nothing a value holds
// can begin a line or a name of its own.
std::string log_line(LogFormat format, const api::Json& fields);

struct Address {
  std::string socket;              // a unix socket's path; else
  std::string host = "127.0.0.1";  // an IPv4 or IPv6 address
  int port = 7433;                 // 0: any free port
};

struct ServeOptions {
  Address address;
  std::vector<std::string> hosts;   // other names that Host may have
  std::string token;                // required in requests; empty: none
  int request_timeout_ms = 30'000;  // for reading a request, and for sending its response
  int stop_timeout_ms = 10'000;     // for requests that run when the server is to end
  std::size_t most_connections = 512;
  std::size_t most_streams = 64;
  std::size_t most_waiting = 128;     // requests; more get status 503
  api::Tool tools = api::Tool::core;  // the tools listed over MCP
  LogFormat log_format = LogFormat::logfmt;
  std::function<void(std::string_view line)> log;  // called with a line, by any thread
};

// Serves until SIGTERM or SIGINT. Both sessions are of the same database; each is used by one
// thread. Throws std::runtime_error if it cannot listen, or if there is no token although other
// machines can reach the address.
void run_server(api::Session& reader, api::Session& writer, const ServeOptions& options);

}  // namespace hebb::serve
