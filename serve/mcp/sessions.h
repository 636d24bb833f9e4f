// Sessions of the era with a handshake, over HTTP. A session is a place for subscriptions: what
// else a client asks needs none. Any thread.
//
// An id says by itself that it was given out here, so nothing is kept of a session until it is
// used, and nobody can push out another's by beginning many.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "serve/mcp/subscriptions.h"

namespace hebb::serve::mcp {

class Sessions {
 public:
  Sessions();

  std::string begin() const;  // the id of a new one
  // Null: there is no such session. Throws api::Problem where too many are in use.
  std::shared_ptr<Subscriptions> find(const std::string& id);
  bool end(const std::string& id);    // false: there is no such session
  bool ended(const std::string& id);  // by end()
  // What the clients of all sessions watch.
  const std::shared_ptr<Watched>& watched() const { return watched_; }

 private:
  static constexpr std::size_t kMost = 1000;  // in use
  static constexpr std::size_t kMostEnded = 10'000;

  struct Used {
    std::shared_ptr<Subscriptions> subscriptions;
    std::chrono::steady_clock::time_point last;  // when it was asked for
  };

  bool is_ours(const std::string& id) const;
  void forget_unused();

  const std::string secret_;
  const std::shared_ptr<Watched> watched_ = std::make_shared<Watched>();
  std::mutex mutex_;
  std::map<std::string, Used> used_;
  std::set<std::string> ended_;
  std::deque<std::string> ended_in_order_;  // the same, the oldest first
};

}  // namespace hebb::serve::mcp
