// What a connection sends after the header of its response: server-sent events (WHATWG HTML).
#pragma once

#include <cstdint>
#include <string>

namespace hebb::serve {

class Stream {
 public:
  virtual ~Stream() = default;
  // Whether it is over. The I/O thread.
  virtual bool ended() const { return false; }
  // Whether there may be something to send, now that the ledger is at that position. The I/O
  // thread, while next() does not run.
  virtual bool behind(std::int64_t position) const = 0;
  // The next piece; empty: nothing has changed. The reader's thread. What it throws loses nothing:
  // it is called again.
  virtual std::string next(std::int64_t position) = 0;
};

}  // namespace hebb::serve
