// Subscriptions of the client of a pipe to changes of resources. Over HTTP there are none:
// GET /v1/events has the changes there.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "api/field.h"
#include "api/session.h"

namespace hebb::serve::mcp {

class Subscriptions {
 public:
  // The next three throw RpcError. In the era with a handshake:
  void subscribe(api::Session& session, const std::string& uri);
  void unsubscribe(const std::string& uri);
  // In the stateless era, for the request `id`: the notification that confirms its resources.
  api::Json listen(api::Session& session, const api::Json& id, const api::Json& params);
  // Ends the subscriptions of that request.
  void cancel(const api::Json& id);
  // The notifications of changes since the last call. Costs the events since then.
  std::vector<api::Json> changes(api::Session& session);
  bool empty() const { return watches_.empty(); }

 private:
  struct Watch {
    std::string uri;
    api::Json listener;  // the id of subscriptions/listen; null in the era with a handshake
  };

  // Notes in changed_ what events since the last call have changed.
  void look(api::Session& session);
  void watch(api::Session& session, const api::Json& listener, const std::string& uri);

  // By resource (resource_of()); each listener has one entry for a resource.
  std::multimap<std::string, Watch, std::less<>> watches_;
  std::set<std::string> changed_;  // resources, not reported yet
  std::int64_t position_ = 0;      // in the ledger, up to which look() has looked
  std::string rank_;               // the text of hebb://rank at that position
};

}  // namespace hebb::serve::mcp
