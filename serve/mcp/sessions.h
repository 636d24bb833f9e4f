// Sessions of the era with a handshake, over HTTP. A session is a place for subscriptions: what
// else a client asks needs none. Any thread.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "serve/mcp/subscriptions.h"

namespace hebb::serve::mcp {

class Sessions {
 public:
  std::string begin();  // the id of a new one
  // Null: there is no such session.
  std::shared_ptr<Subscriptions> find(const std::string& id);
  bool end(const std::string& id);    // false: there is no such session
  bool ended(const std::string& id);  // by end()

 private:
  static constexpr std::size_t kMost = 1000;

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Subscriptions>> all_;  // null: ended
  std::deque<std::string> ids_;                                // of all_, the oldest first
};

}  // namespace hebb::serve::mcp
