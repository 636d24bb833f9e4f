// MCP's streamable HTTP, one message at a time: the headers of both eras, the session and the
// version that `initialize` settles, answers as one body or as events, the place to go on from.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "capture/record/http_peer.h"
#include "capture/record/mcp_outgoing.h"
#include "capture/record/sse.h"

namespace hebb::capture {

// What came of a POST or GET.
struct HttpAnswer {
  HttpHead head;
  std::string body;                 // of what is no stream of events
  std::optional<SseReader> events;  // have been delivered as they came
  HttpFailure failure;              // empty: the answer came to its end

  bool ok() const { return head.status >= 200 && head.status < 300; }
  bool refused() const { return head.status != 0 && !ok(); }
  // A message, or several in an array, and no page for people.
  bool has_message() const;
};

// Where a stream was cut. Valid before any.
struct StreamPlace {
  std::string last_id;  // empty: it cannot be gone on with
  std::chrono::milliseconds retry{1000};
  void take(const SseReader& events);
};

// Any thread may call; each call of post() and listen() blocks for its exchange.
class McpHttp {
 public:
  static constexpr std::size_t kMessageBytes = std::size_t{256} << 20;

  struct Events {
    std::function<bool(std::string message)> message;  // of a stream; false: no more is wanted
    std::function<void(std::string_view id)> session;  // the protocol's; empty: none any more
  };
  McpHttp(HttpUrl url, HttpHeaders headers, Events events);

  // seconds: how long to wait for the answer; 0: however long it takes.
  HttpAnswer post(const Outgoing& message, HttpPeer::Call& call, int seconds,
                  std::function<void()> sent);
  HttpAnswer listen(HttpPeer::Call& call, StreamPlace& place);
  void end_session(int seconds);  // DELETE, if there is one

  void forget_session();  // another begins
  // A refusal may mean that the server does not know the session any more.
  void note_refusal(const HttpAnswer& answer);
  bool expired() const;
  // What the answer to `method` settles for requests to come.
  void learn(const std::string& method, bool stateless, const std::string& answer);

  std::string describe(const HttpAnswer& refused) const;  // for people

 private:
  HttpRequest request(std::string method, HttpAnswer& answer);
  HttpHeaders session_headers() const;

  HttpPeer peer_;
  const Events events_;
  mutable std::mutex mutex_;  // of what follows
  std::string session_, version_;
  bool expired_ = false;
  MirroredArguments mirrored_;
};

}  // namespace hebb::capture
