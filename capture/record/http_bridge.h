// A stdio client on one side, an MCP server behind streamable HTTP on the other.
//
// Both eras work: 2025-03-26 … 2025-11-25 (Mcp-Session-Id, GET stream, answers as events,
// resumption with Last-Event-ID, DELETE at the end) and the stateless 2026-07-28 with its headers.
// Each line of the client is a POST, sent in the order of the lines; but none waits for ever for
// the one before it (BridgeLimits). Each message of the server is a line for the client, unchanged
// except that line ends inside it become spaces. If HTTP fails, the request is answered with a
// JSON-RPC error under its id.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "capture/record/exchanges.h"
#include "net/peer.h"

namespace hebb::capture {

class HttpBridge {
 public:
  // Called from any thread.
  struct Client {
    std::function<bool(const std::string& line)> deliver;  // with line end; false: client has gone
    std::function<void(std::string_view id)> session;      // MCP's session changed; empty: none
    std::function<void(std::string_view what)> warn;
    std::function<void()> sent;  // bytes() became smaller
    std::function<void()>
        done;  // after close() or stop(), once: nothing will be delivered any more
  };
  HttpBridge(HttpUrl url, HttpHeaders headers, Client client, BridgeLimits limits = {});
  ~HttpBridge();  // precondition: done, or the process is about to end

  void send(std::string line);  // without its line end; does not wait
  std::size_t bytes() const;    // of lines that are still to be sent
  // No more lines: waits for open answers within the limit, ends the session, then calls done.
  void close();
  void stop();  // the same without waiting for answers

 private:
  class Work;
  std::shared_ptr<Work> work_;  // shared with its threads
};

}  // namespace hebb::capture
