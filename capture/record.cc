#include "capture/record.h"

#include <array>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include "capture/record_child.h"
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

}  // namespace

RecordEnd run_record(const RecordOptions& options) {
  const HeldSignals signals;
  ServerProcess server(options.command, signals);
  const auto warn = [&options](std::string_view what) {
    if (options.warn) options.warn(what);
  };
  const std::string own = random_id();
  const auto queue = std::make_shared<LineQueue>(kQueueBytes);
  RecordWriter writer({.database = options.database,
                       .identity = {options.agent_id.value_or("agent-" + own),
                                    options.session_id.value_or("session-" + own)},
                       .turn_grace_ms = options.turn_grace_ms,
                       .warn = warn},
                      queue);
  LineTap to_server(Direction::to_server, *queue);
  LineTap to_client(Direction::to_client, *queue);
  const FirstEnd first =
      pump({options.client_in, options.client_out}, server, signals, {to_server, to_client});
  const RecordWriter::Outcome outcome = writer.finish(reason(first, server.end()), stamp_now());
  if (outcome.lost > 0) warn(fmt::format("{} calls were not recorded", outcome.lost));
  if (outcome.lost_lines > 0) warn(fmt::format("{} lines went by unseen", outcome.lost_lines));
  return {server.end(), outcome.stored, outcome.lost, outcome.lost_lines};
}

}  // namespace hebb::capture
