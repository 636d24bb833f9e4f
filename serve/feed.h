// The stream of appended events and of changes at the top of the path, as server-sent events
// (WHATWG HTML). Used by the reader's thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "api/session.h"
#include "serve/kept.h"
#include "serve/message.h"

namespace hebb::serve {

class Feed {
 public:
  // Streams go up to the position of what is prepared, so that who is told of an event finds it.
  Feed(api::Session& reader, const Prepared& prepared) : reader_(reader), prepared_(prepared) {}

  // A client's stream: behind Last-Event-ID or `after` in the query, else from the end of the
  // ledger. Throws Problem.
  std::shared_ptr<Stream> open(const Request& request);

 private:
  friend class FeedStream;

  // The pieces of a stream. Of the events after a position, up to another: makes made_, and returns
  // up to which it has them.
  std::int64_t events(std::int64_t after, std::int64_t until);
  std::string top(int count);  // empty: it cannot be told

  api::Session& reader_;
  const Prepared& prepared_;
  // The last piece; other streams usually need the same one.
  std::int64_t made_after_ = -1, made_asked_ = -1, made_until_ = -1;
  std::string made_;
};

}  // namespace hebb::serve
