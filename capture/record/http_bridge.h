// A stdio client on one side, an MCP server behind streamable HTTP on the other.
//
// Both eras work: 2025-03-26 … 2025-11-25 (Mcp-Session-Id, GET stream, answers as events,
// resumption with Last-Event-ID, DELETE at the end) and the stateless 2026-07-28 with its headers.
// Each line of the client is a POST, sent in the order of the lines; but none waits for ever for
// the one before it (BridgeLimits). Each message of the server is a line for the client, unchanged
// except that line ends inside it become spaces. If HTTP fails, the request is answered with a
// JSON-RPC error under its id.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "capture/net/peer.h"

namespace hebb::capture {

struct BridgeLimits {
  // How long a line waits for the one before it to arrive; then it overtakes.
  std::chrono::milliseconds order{1000};
  // How long the server may send nothing while the bridge waits for it: for the answer to
  // initialize before the next line is sent, and for all open answers after close(). Each message
  // of the server begins this time anew.
  std::chrono::milliseconds silence{300'000};
  std::size_t at_once = 512;  // POSTs that have not ended
  // Of the lines of these POSTs, as long as they are not sent whole. A single line may have more.
  std::size_t unsent_bytes = std::size_t{256} << 20;
};

class HttpBridge {
 public:
  // Called from any thread, done() from the bridge's own.
  struct Client {
    std::function<bool(const std::string& line)> deliver;  // with line end; false: client has gone
    std::function<void(std::string_view id)> session;      // MCP's session changed; empty: none
    std::function<void(std::string_view what)> warn;
    std::function<void()> sent;  // bytes() became smaller
    // After close() or stop(), once: none of these is called any more. It waits for calls that are
    // going on, so for as long as deliver() takes.
    std::function<void()> done;
  };
  HttpBridge(HttpUrl url, HttpHeaders headers, Client client, BridgeLimits limits = {});
  ~HttpBridge();  // precondition: done, or the process is about to end

  void send(std::string line);  // without its line end; does not wait
  // Of the lines that wait for their turn, and of the one whose turn it is. A line that was
  // overtaken while it is being sent does not count: such lines are bounded by
  // BridgeLimits::unsent_bytes, so that one which the server does not read cannot keep the client's
  // next lines, such as its cancellation, from being read. The bridge holds the sum of both, and of
  // those that are being sent as much again, for copies of their arguments.
  std::size_t bytes() const;
  // No more lines: waits for open answers as BridgeLimits::silence says, answers the other requests
  // with an error, ends the session, then calls done.
  void close();
  void stop();  // the same without waiting for answers

 private:
  class Work;
  std::shared_ptr<Work> work_;  // shared with its threads
};

}  // namespace hebb::capture
