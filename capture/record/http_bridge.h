// A stdio client on one side, an MCP server behind streamable HTTP on the other.
//
// Both eras: 2025-03-26 … 2025-11-25 (Mcp-Session-Id, the GET stream, answers as events, resumption
// with Last-Event-ID, DELETE at the end) and the stateless 2026-07-28 with its headers. Each line
// of the client is a POST, begun in the order of the lines. Each message of the server is a line
// for the client, byte for byte but for line ends inside it, which become spaces. Where HTTP fails,
// a request is answered with a JSON-RPC error under its id.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "capture/record/http_peer.h"

namespace hebb::capture {

class HttpBridge {
 public:
  // Called from any thread.
  struct Client {
    std::function<bool(const std::string& line)> deliver;  // with its line end; false: it has gone
    std::function<void(std::string_view id)> session;  // the protocol's; empty: it has none (more)
    std::function<void(std::string_view what)> warn;
    std::function<void()> sent;  // bytes() became less
    std::function<void()>
        done;  // after close() or stop(), once: nothing will be delivered any more
  };
  HttpBridge(HttpUrl url, HttpHeaders headers, Client client);
  ~HttpBridge();  // precondition: done, or the process is about to end

  void send(std::string line);  // without its line end; does not wait
  std::size_t bytes() const;    // of lines that are still to be sent
  void close();  // the client sends no more: what was asked is waited for, the session ends, done
  void stop();   // the same without waiting for answers

 private:
  class Work;
  std::shared_ptr<Work> work_;  // its threads' too
};

}  // namespace hebb::capture
