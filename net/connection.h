// One connection of an HTTP client to a server, which it opens when it is needed.
#pragma once

#include <atomic>
#include <memory>

#include "net/peer.h"

namespace hebb {

class HttpConnection {
 public:
  explicit HttpConnection(const HttpUrl& url);
  ~HttpConnection();

  // Blocks until the exchange has ended. `headers` are all that are sent, but for those of
  // HTTP itself. Whoever sets `stopped` calls interrupt() afterwards.
  HttpFailure exchange(const HttpRequest& request, const HttpHeaders& headers,
                       const std::atomic<bool>& stopped);
  bool is_open() const;  // after an exchange: fit for another one

  // From any thread, while an exchange goes on: what it waits for ends.
  void interrupt();

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace hebb
