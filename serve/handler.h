// Makes the response to a request that the guard allowed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/session.h"
#include "serve/cached_responses.h"
#include "serve/message.h"
#include "serve/metrics.h"

namespace hebb::serve {

// A piece of the stream: the events after a position, up to another.
struct FeedPiece {
  std::int64_t after = -1, asked = -1, until = -1;  // asked: the end that was requested
  std::string text;
};
// A client's stream of events after Last-Event-ID or `after` in the query, else after `position`.
// last: the last piece, which other streams usually need too; it must outlive the streams, and is
// used by the reader's thread. Throws Problem.
std::shared_ptr<Stream> open_feed(api::Session& reader, std::int64_t position, FeedPiece& last,
                                  const Request& request);

// It has two sessions of one database, so that reading never waits for a write to disk. Each
// session is used by one thread only; functions marked "any thread" use neither.
class Handler {
 public:
  Handler(api::Session& reader, api::Session& writer, api::Tool tools)
      : reader_(reader), writer_(writer), tools_(tools) {}

  // Whether the writer's thread must do a request; parses the message of an MCP request. Any
  // thread.
  static bool writes(Request& request);
  // The prepared response, if there is one. Any thread.
  std::optional<Response> ready(const Request& request);

  // These never throw. The reader's thread:
  Response read(Request& request) { return answer(reader_, request); }
  // The writer's thread: runs the requests one after the other, then makes the frequent responses
  // anew, so that reading sees their effect before anybody gets a response.
  std::vector<Response> write(std::span<Request* const> requests);

  // The reader's thread: looks for events that other processes have appended.
  void look();
  // The ledger's position of the prepared responses. Any thread.
  std::int64_t position() const { return cached_.position(); }

 private:
  Response answer(api::Session& session, Request& request);
  Response respond(api::Session& session, Request& request);  // throws nothing
  Response make(api::Session& session, Request& request);
  Response run(api::Session& session, const Request& request);
  Response run_cached(api::Session& session, const Request& request, const api::Json& asked);
  Response write_once(Request& request);
  void write_together(std::span<Request* const> some, const std::function<void()>& work,
                      std::vector<Response>& responses);
  void publish(api::Session& session);

  api::Session& reader_;
  api::Session& writer_;
  const api::Tool tools_;  // of MCP
  CachedResponses cached_;
  FeedPiece feed_;  // the last one
  Metrics metrics_;
  std::int64_t folded_ = 0;  // position of the reader's graph; used by the reader's thread
  KeyedResponses keyed_;     // used by the writer's thread
};

}  // namespace hebb::serve
