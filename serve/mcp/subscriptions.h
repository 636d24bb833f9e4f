// Subscriptions of clients to changes of resources. Any thread, each with its session.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "api/field.h"
#include "api/session.h"

namespace hebb::serve::mcp {

class Subscriptions;

// What all clients of a server have subscribed to. It finds those whom a change concerns by what
// has changed, so that a change costs nothing to the others.
class Watched {
 private:
  friend class Subscriptions;

  // Tells the subscriptions of what has changed since the last call. Precondition: locked, as for
  // all that is here.
  void look(api::Session& session);

  std::mutex mutex_;
  std::map<std::string, std::set<Subscriptions*>, std::less<>> by_resource_;  // see resource_of()
  std::size_t count_ = 0;      // of all subscriptions
  std::int64_t position_ = 0;  // in the ledger
  std::string path_;           // its text at that position
};

// Those of one client.
class Subscriptions {
 public:
  explicit Subscriptions(std::shared_ptr<Watched> all) : all_(std::move(all)) {}
  ~Subscriptions();
  Subscriptions(const Subscriptions&) = delete;
  Subscriptions& operator=(const Subscriptions&) = delete;

  // Handles a message about subscriptions and returns what to send back; nullopt if the message is
  // about something else.
  std::optional<std::vector<api::Json>> take(api::Session& session, const api::Json& message);
  // The notifications of changes since the last call.
  std::vector<api::Json> changes(api::Session& session);
  bool empty() const {
    const std::lock_guard lock(all_->mutex_);
    return watches_.empty();
  }
  // The client has ended its session.
  void end() { ended_ = true; }
  bool ended() const { return ended_; }
  // Whether a message, an object, subscribes to something or ends that.
  static bool are_asked(const api::Json& message);

 private:
  friend class Watched;
  struct Watch {
    std::string uri;
    api::Json listener;  // the id of subscriptions/listen; null in the era with a handshake
  };

  void watch(api::Session& session, const api::Json& listener, const std::string& uri);
  void forget(const api::Json& listener, const std::string* resource);
  std::vector<api::Json> listen(api::Session& session, const api::Json& message);

  const std::shared_ptr<Watched> all_;         // its mutex guards the rest
  std::multimap<std::string, Watch> watches_;  // by resource; for each listener one of a resource
  std::set<std::string> changed_;              // of these, what has not been told yet
  std::atomic<bool> ended_ = false;
};

}  // namespace hebb::serve::mcp
