// MCP's streamable HTTP, one message at a time: the headers of both eras (call_tracker.h), the
// session and version set by `initialize`, answers as one body or as events, and resuming a stream.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "capture/net/peer.h"
#include "capture/record/mcp_outgoing.h"
#include "capture/record/sse.h"

namespace hebb::capture {

// The result of a POST or GET.
struct HttpAnswer {
  HttpHead head;
  std::string body;                 // unless the answer is a stream of events
  std::optional<SseReader> events;  // its messages were delivered on arrival
  HttpFailure failure;              // empty: the answer was complete

  bool ok() const { return head.status >= 200 && head.status < 300; }
  bool refused() const { return head.status != 0 && !ok(); }
  // Whether the body is a message or several in an array (and not an error page, for example).
  bool has_message() const;
};

// The position where a stream was cut, to resume it; a new object means the beginning.
struct StreamPlace {
  std::string last_id;  // empty: it cannot be resumed
  std::chrono::milliseconds retry{1000};
  void take(const SseReader& events);
};

// Any thread may call; each call of post() and listen() blocks for its exchange.
class McpHttp {
 public:
  static constexpr std::size_t kMessageBytes = std::size_t{256} << 20;

  struct Events {
    std::function<bool(std::string message)> message;  // from a stream; false: stop reading
    std::function<void(std::string_view id)> session;  // MCP's session changed; empty: none
  };
  McpHttp(HttpUrl url, HttpHeaders headers, Events events);

  // within: time for the whole answer; 0: no limit.
  HttpAnswer post(const ClientMessage& message, HttpPeer::Call& call, std::chrono::seconds within,
                  std::function<void()> sent);
  HttpAnswer listen(HttpPeer::Call& call, StreamPlace& place);
  void end_session(std::chrono::seconds within);  // DELETE, if there is one

  void forget_session();  // before another session begins
  // Whether a refusal may mean that the server has forgotten the session.
  void note_refusal(const HttpAnswer& answer);
  bool expired() const;
  // Stores from the answer to `method` what later requests need: version, session, headers.
  void learn(const std::string& method, bool stateless, const ServerMessage& answer);

  std::string describe(const HttpAnswer& refused) const;  // as an error text

 private:
  HttpRequest request(std::string method, HttpAnswer& answer);
  HttpHeaders session_headers() const;

  HttpPeer peer_;
  const Events events_;
  mutable std::mutex mutex_;  // guards the members below
  std::string session_, version_;
  bool expired_ = false;
  MirroredArguments mirrored_;
};

}  // namespace hebb::capture
