#include "capture/record.h"

#include <array>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include "capture/record_child.h"
#include "capture/record_http.h"
#include "capture/record_pump.h"
#include "capture/record_writer.h"

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

// Of a server behind HTTP; nothing for one that is a process.
std::optional<HttpUrl> address(const std::vector<std::string>& command) {
  if (command.size() != 1 || !is_http_url(command[0])) return std::nullopt;
  return parse_http_url(command[0]);
}

}  // namespace

RecordEnd run_record(const RecordOptions& options) {
  const std::optional<HttpUrl> url = address(options.command);
  const HeldSignals signals;
  std::optional<ServerProcess> server;
  if (!url) server.emplace(options.command, signals);
  // A copy: threads of an exchange that hangs may still hold it when this function has returned.
  const std::function<void(std::string_view)> warn =
      options.warn ? options.warn : [](std::string_view) {};
  const std::string own = random_id();
  const auto queue = std::make_shared<LineQueue>(kQueueBytes);
  RecordWriter writer(
      {.database = options.database,
       .identity = {.agent_id = options.agent_id.value_or("agent-" + own),
                    .session_id = options.session_id.value_or("session-" + own),
                    .transport = url ? "http" : "stdio",
                    .server_address = url ? std::optional(url->address()) : std::nullopt},
       .turn_grace_ms = options.turn_grace_ms,
       .warn = warn},
      queue);
  LineTap to_server(Direction::to_server, *queue);
  LineTap to_client(Direction::to_client, *queue);
  const ClientEnds client{options.client_in, options.client_out};
  const PumpTaps taps{to_server, to_client};
  ProcessEnd end;
  FirstEnd first = FirstEnd::client;
  if (url) {
    end = pump_http(client, {*url, options.headers}, signals, taps, queue, warn);
  } else {
    first = pump(client, *server, signals, taps);
    end = server->end();
  }
  const RecordWriter::Outcome outcome = writer.finish(reason(first, end), stamp_now());
  if (outcome.lost > 0) warn(fmt::format("{} calls were not recorded", outcome.lost));
  if (outcome.lost_lines > 0) warn(fmt::format("{} lines went by unseen", outcome.lost_lines));
  return {end, outcome.stored, outcome.lost, outcome.lost_lines};
}

}  // namespace hebb::capture
