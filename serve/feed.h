// The stream of appended events and of changes at the top of the path, as server-sent events
// (WHATWG HTML).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "serve/handler.h"
#include "serve/stream.h"

namespace hebb::serve {

// The state of one client's stream.
struct FeedCursor {
  std::int64_t sent = 0;     // the position of the last event that was sent
  std::int64_t looked = -1;  // the position at which the top was last looked at
  int top = 10;              // the number of tasks at the top to tell of; 0: none
  std::string shown = {};    // the top as it was last sent
};

// The next piece of a stream; its length is bounded.
struct FeedChunk {
  std::string text;  // empty: nothing has changed
  FeedCursor cursor;
};

class Feed {
 public:
  explicit Feed(Handler& handler) : handler_(handler) {}

  // A client's stream. Throws Problem. The reader's thread.
  std::unique_ptr<Stream> open(const Request& request);

  // The beginning of a stream: behind Last-Event-ID or `after` in the query, else at the end of the
  // ledger. Throws Problem. Like all of this class, used by the reader's thread.
  FeedCursor begin(const Request& request);
  // The next piece, up to the handler's position. Throws Problem.
  FeedChunk next(const FeedCursor& cursor);

 private:
  // Makes made_ of the events after a position, up to another; returns up to which it has them.
  std::int64_t events(std::int64_t after, std::int64_t until);
  std::string top(int count);

  Handler& handler_;
  // The last piece; other streams usually need the same one.
  std::int64_t made_after_ = -1, made_asked_ = -1, made_until_ = -1;
  std::string made_;
};

}  // namespace hebb::serve
