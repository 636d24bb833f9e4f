#include "capture/record/record.h"

#include <array>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include "capture/child.h"
#include "capture/record/http.h"
#include "capture/record/http_bridge.h"
#include "capture/record/writer.h"
#include "engine/values/counted.h"

namespace hebb::capture {
namespace {

constexpr std::size_t kQueueBytes = std::size_t{16} << 20;

std::string random_id() {
  std::array<unsigned char, 8> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    return fmt::format("{}-{}", getpid(), line_time_now().wall_us);
  }
  std::string id;
  for (const unsigned char byte : bytes) id += fmt::format("{:02x}", byte);
  return id;
}

std::string reason(Relay::First first, const ProcessEnd& end) {
  if (first == Relay::First::own) return "client_closed";
  if (end.signal != 0) return fmt::format("server_exit: signal {}", end.signal);
  return fmt::format("server_exit: code {}", end.exit_code);
}

// The server behind HTTP; nullopt if the server is a process.
std::optional<HttpServer> http_server(const RecordOptions& options) {
  if (options.command.size() != 1 || !is_http_url(options.command[0])) return std::nullopt;
  return HttpServer{parse_http_url(options.command[0], "http://localhost:8080/mcp"),
                    options.headers};
}

CallTracker::Identity identity(const RecordOptions& options,
                               const std::optional<HttpServer>& http) {
  const std::string own = random_id();
  CallTracker::Identity identity{options.agent_id.value_or("agent-" + own),
                                 options.session_id.value_or("session-" + own)};
  if (http) {
    identity.transport = "http";
    identity.server_address = http->url.address();
    identity.credentials = credentials(*http);
  }
  return identity;
}

// A line is queued before the other side gets it: else what it causes, an answer or the next call,
// could be queued first by the other thread. So an answer counts although its client has just gone.
Relay::Pass observed(LineTap& tap) {
  return [&tap](std::string_view bytes, const Relay::Write& write) {
    if (bytes.empty()) return tap.finish(line_time_now());
    tap.feed(bytes, line_time_now());
    write({&bytes, 1});
  };
}

}  // namespace

RecordEnd run_record(const RecordOptions& options) {
  const std::optional<HttpServer> http = http_server(options);
  // A copy, since hanging threads of an exchange may use it after this function has returned.
  const std::function<void(std::string_view)> warn =
      options.warn ? options.warn : [](std::string_view) {};
  const auto queue = std::make_shared<LineQueue>(kQueueBytes);
  LineTap calls(Direction::to_server, *queue), answers(Direction::to_client, *queue);
  std::optional<HeldSignals> signals;
  std::unique_ptr<Relay> relay;
  try {
    signals.emplace(kPassedSignals);
    relay = std::make_unique<Relay>(*signals, observed(calls), observed(answers));
  } catch (const std::system_error& error) {
    if (http) throw;
    warn(fmt::format("calls cannot be recorded now; the traffic goes on: {}", error.what()));
    if (signals) signals->release();
    replace_process(options.command);
  }
  std::unique_ptr<OtherSide> server;
  if (http) {
    server = std::make_unique<HttpBridge>(
        http->url, http->headers,
        HttpBridge::Events{
            .session =
                [queue](std::string_view id) { queue->push({.mcp_session = std::string(id)}); },
            .warn = warn});
  } else {
    server = std::make_unique<ChildProcess>(options.command, ChildProcess::Stdin::piped, *signals);
  }
  RecordWriter writer({.database = options.database,
                       .identity = identity(options, http),
                       .turn_grace_ms = options.turn_grace_ms,
                       .warn = warn},
                      queue);
  Relay::First first = relay->run(*server, options.client_in, options.client_out).first;
  if (http) first = Relay::First::own;  // the end of HTTP's stream does not end the session
  const ProcessEnd end = server->end();
  const RecordWriter::Outcome outcome = writer.finish(reason(first, end), line_time_now());
  if (outcome.lost > 0)
    warn(counted(static_cast<std::int64_t>(outcome.lost), "call was not recorded",
                 "calls were not recorded"));
  if (outcome.lost_lines > 0)
    warn(counted(static_cast<std::int64_t>(outcome.lost_lines), "line went by unseen",
                 "lines went by unseen"));
  return {end, outcome.stored, outcome.lost, outcome.lost_lines};
}

}  // namespace hebb::capture
