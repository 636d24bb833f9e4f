// Subscriptions of clients to changes of resources. Any thread, each with its session.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "api/field.h"
#include "api/session.h"

namespace hebb::serve::mcp {

class Subscriptions {
 public:
  // Handles a message about subscriptions and returns what to send back; nullopt if the message is
  // about something else.
  std::optional<std::vector<api::Json>> take(api::Session& session, const api::Json& message);
  // The notifications of changes since the last call. Reads the resources only if the ledger has
  // grown.
  std::vector<api::Json> changes(api::Session& session);
  bool empty() const {
    const std::lock_guard lock(mutex_);
    return watched_.empty();
  }
  // Whether a message, an object, subscribes to something or ends that.
  static bool are_asked(const api::Json& message);

 private:
  struct Watched {
    api::Json listener;  // the id of subscriptions/listen; null in the era with a handshake
    std::string uri, text;
  };

  void watch(api::Session& session, const api::Json& listener, const std::string& uri);
  void forget(const api::Json& listener, const std::string* uri);
  std::vector<api::Json> listen(api::Session& session, const api::Json& message);

  mutable std::mutex mutex_;
  std::vector<Watched> watched_;
  std::int64_t position_ = 0;
};

}  // namespace hebb::serve::mcp
