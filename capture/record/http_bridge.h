// A stdio client on one side, an MCP server behind streamable HTTP on the other. To a relay the
// bridge is like a process: it reads the client's lines from one end of a socket pair and writes
// the server's lines to it.
//
// Both eras of MCP work (call_tracker.h): 2025-03-26 … 2025-11-25 (Mcp-Session-Id, GET stream,
// answers as events, resumption with Last-Event-ID, DELETE at the end) and the stateless 2026-07-28
// with its headers. Each line of the client is a POST, sent in the order of the lines; but the wait
// for the previous line is limited (BridgeLimits). Each message of the server is a line for the
// client, unchanged except that line ends inside it become spaces. If HTTP fails, the request is
// answered with a JSON-RPC error under its id.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "capture/net/peer.h"
#include "capture/relay.h"

namespace hebb::capture {

struct BridgeLimits {
  // How long a line waits for the previous one to arrive before it overtakes.
  std::chrono::milliseconds order{1000};
  // How long the server may be silent while the bridge waits: for the answer to initialize before
  // the next line is sent, and for all open answers after the client has closed its end. Each
  // message of the server restarts the time.
  std::chrono::milliseconds silence{300'000};
  std::size_t at_once = 512;  // POSTs that have not ended
  // Bytes of lines of these POSTs that are not completely sent. A single line may be longer.
  std::size_t unsent_bytes = std::size_t{256} << 20;
};

class HttpBridge : public OtherSide {
 public:
  // Called from any thread. None is called after the bridge has ended(); but where it ended because
  // a thread hangs, a call that began before may return later.
  struct Events {
    std::function<void(std::string_view id)> session;  // MCP's session changed; empty: none
    std::function<void(std::string_view what)> warn;
  };
  // Throws std::system_error.
  HttpBridge(HttpUrl url, HttpHeaders headers, Events events, BridgeLimits limits = {});
  ~HttpBridge() override;  // its threads may hang in an exchange, and go on
  HttpBridge(const HttpBridge&) = delete;
  HttpBridge& operator=(const HttpBridge&) = delete;

  int in() const override { return socket_; }
  int out() const override { return socket_; }
  bool ended() override;
  ProcessEnd end() const override { return end_; }
  int look_within_ms() const override;
  // Ends the session without waiting for answers, within three seconds.
  bool signal(const ArrivedSignal& signal) override;
  // Waits for open answers as BridgeLimits::silence says, answers the other requests with an error,
  // then ends the session.
  void close_in() override;
  void close_out() override;  // like a signal

 private:
  class Work;
  void stop();

  int socket_ = -1;
  std::shared_ptr<Work> work_;  // shared with its threads
  ProcessEnd end_;
  std::optional<std::chrono::steady_clock::time_point> leave_at_;  // when to leave after a stop
};

}  // namespace hebb::capture
