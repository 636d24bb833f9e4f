// Subscriptions of clients to changes of resources, and the sessions that hold them over HTTP.
// Any thread, each with its session.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/field.h"
#include "api/session.h"

namespace hebb::serve::mcp {

class Subscriptions;

inline constexpr std::string_view kListen = "subscriptions/listen";

// What all clients of a server have subscribed to. It finds those whom a change concerns by what
// has changed, so that a change costs nothing to the others.
class Watched {
 private:
  friend class Subscriptions;

  // Tells the subscriptions of what has changed since the last call. Precondition: locked, as for
  // all that is here.
  void look(api::Session& session);
  void leave(const std::string& resource, Subscriptions* one);

  std::mutex mutex_;
  std::map<std::string, std::set<Subscriptions*>, std::less<>> by_resource_;  // see resource_of()
  std::size_t count_ = 0;      // of all subscriptions
  std::int64_t position_ = 0;  // in the ledger
  std::string rank_;           // its text at that position
};

// Those of one client.
class Subscriptions {
 public:
  explicit Subscriptions(std::shared_ptr<Watched> all) : all_(std::move(all)) {}
  ~Subscriptions();
  Subscriptions(const Subscriptions&) = delete;
  Subscriptions& operator=(const Subscriptions&) = delete;

  // These throw RpcError. In the era with a handshake:
  void subscribe(api::Session& session, const std::string& uri);
  void unsubscribe(const std::string& uri);
  // In the stateless era, for the request `id`: the notification that says what it is told of.
  api::Json listen(api::Session& session, const api::Json& id, const api::Json& params);
  // Ends what that request listens to.
  void cancel(const api::Json& id);
  // The notifications of changes since the last call.
  std::vector<api::Json> changes(api::Session& session);
  bool empty() const {
    const std::lock_guard lock(all_->mutex_);
    return watches_.empty();
  }
  // The client has ended its session.
  void end() { ended_ = true; }
  bool ended() const { return ended_; }

 private:
  friend class Watched;
  struct Watch {
    std::string uri;
    api::Json listener;  // the id of subscriptions/listen; null in the era with a handshake
  };

  void watch(api::Session& session, const api::Json& listener, const std::string& uri);
  void forget(const api::Json& listener, const std::string* resource);

  const std::shared_ptr<Watched> all_;         // its mutex guards the rest
  std::multimap<std::string, Watch> watches_;  // by resource; for each listener one of a resource
  std::set<std::string> changed_;              // of these, what has not been told yet
  std::atomic<bool> ended_ = false;
};

// Sessions of the era with a handshake, over HTTP. A session is a place for subscriptions: what
// else a client asks needs none. Any thread.
//
// An id says by itself that it was given out here, so nothing is kept of a session until it is
// used, and nobody can push out another's by beginning many.
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
