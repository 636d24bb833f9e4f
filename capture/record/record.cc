#include "capture/record/record.h"

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include "capture/record/child.h"
#include "capture/record/http.h"
#include "capture/record/pump.h"
#include "capture/record/writer.h"
#include "engine/values/counted.h"

namespace hebb::capture {
namespace {

constexpr std::size_t kQueueBytes = std::size_t{16} << 20;

std::string random_id() {
  std::array<unsigned char, 8> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    return fmt::format("{}-{}", getpid(), stamp_now().wall_us);
  }
  std::string id;
  for (const unsigned char byte : bytes) id += fmt::format("{:02x}", byte);
  return id;
}

std::string reason(FirstEnd first, const ProcessEnd& end) {
  if (first == FirstEnd::client) return "client_closed";
  if (end.signal != 0) return fmt::format("server_exit: signal {}", end.signal);
  return fmt::format("server_exit: code {}", end.exit_code);
}

// The server behind HTTP; nullopt if the server is a process.
std::optional<HttpServer> http_server(const RecordOptions& options) {
  if (options.command.size() != 1 || !is_http_url(options.command[0])) return std::nullopt;
  return HttpServer{parse_http_url(options.command[0], "http://localhost:8080/mcp"),
                    options.headers};
}

Session::Identity identity(const RecordOptions& options, const std::optional<HttpServer>& http) {
  const std::string own = random_id();
  Session::Identity identity{options.agent_id.value_or("agent-" + own),
                             options.session_id.value_or("session-" + own)};
  if (http) {
    identity.transport = "http";
    identity.server_address = http->url.address();
    identity.credentials = credentials(*http);
  }
  return identity;
}

}  // namespace

RecordEnd run_record(const RecordOptions& options) {
  const std::optional<HttpServer> http = http_server(options);
  const HeldSignals signals;
  std::optional<ServerProcess> server;
  if (!http) server.emplace(options.command, signals);
  // A copy: threads that hang in an exchange may still use it after this function has returned.
  const std::function<void(std::string_view)> warn =
      options.warn ? options.warn : [](std::string_view) {};
  const auto queue = std::make_shared<LineQueue>(kQueueBytes);
  RecordWriter writer({.database = options.database,
                       .identity = identity(options, http),
                       .turn_grace_ms = options.turn_grace_ms,
                       .warn = warn},
                      queue);
  LineTap to_server(Direction::to_server, *queue);
  LineTap to_client(Direction::to_client, *queue);
  const ClientEnds client{options.client_in, options.client_out};
  const PumpTaps taps{to_server, to_client};
  ProcessEnd end;
  FirstEnd first = FirstEnd::client;
  if (http) {
    end = pump_http(client, *http, signals, taps, queue, warn);
  } else {
    first = pump(client, *server, signals, taps);
    end = server->end();
  }
  const RecordWriter::Outcome outcome = writer.finish(reason(first, end), stamp_now());
  if (outcome.lost > 0)
    warn(counted(static_cast<std::int64_t>(outcome.lost), "call was not recorded",
                 "calls were not recorded"));
  if (outcome.lost_lines > 0)
    warn(counted(static_cast<std::int64_t>(outcome.lost_lines), "line went by unseen",
                 "lines went by unseen"));
  return {end, outcome.stored, outcome.lost, outcome.lost_lines};
}

}  // namespace hebb::capture
