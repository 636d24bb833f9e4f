// The exchanges of a bridge to a server behind HTTP that have not ended. Not for several threads:
// the bridge guards all of it with its mutex.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "capture/net/peer.h"
#include "capture/record/mcp_outgoing.h"

namespace hebb::capture {

// A POST with a line of the client.
struct Exchange {
  explicit Exchange(ClientMessage m);
  bool asks() const { return !message.requests.empty(); }
  bool all_cancelled() const;  // all requests that have no answer
  bool awaited() const;        // whether a client that closes its end waits for it

  // The next request that nobody answers yet; null: there is none. Valid until `unanswered`
  // changes.
  AskedRequest* next_unanswered();
  // An attempt to answer the request has ended: it is answered, or open as before.
  void settle(const std::string& key, bool answered);

  ClientMessage message;  // not guarded: its thread uses it, and releases the line once it was sent
  std::vector<AskedRequest> unanswered;  // until the answer has been delivered
  std::size_t unsent;                    // bytes: all of the line, or none
  bool over = false;
  HttpPeer::Call call;  // guards itself
};
using ExchangePtr = std::shared_ptr<Exchange>;

class Exchanges {
 public:
  // Returns why there can be no further exchange; empty: it was added. A server may leave the
  // stream open on which it has answered: the oldest of these is closed to make room.
  // at_once: exchanges; unsent_bytes: of their lines (http_bridge.h, BridgeLimits).
  std::string add(const ExchangePtr& exchange, std::size_t at_once, std::size_t unsent_bytes);
  void remove(const ExchangePtr& exchange) { std::erase(open_, exchange); }

  // Carries out `notice`, the client's message that it does not want a certain answer any more: the
  // end does not wait for that answer. The POST that asks for it is closed if nothing else is asked
  // there, and either the server has not read it whole, or it is of the stateless era, in which
  // closing the POST is the notice itself. Returns whether the server need not be sent the notice,
  // too.
  bool cancel(const ClientMessage& notice);

  void stop_all();
  std::vector<ExchangePtr> awaited() const;
  // The requests of awaited() that nobody answers yet; whoever takes them answers them.
  std::vector<AskedRequest> take_awaited();

  struct Asked {
    AskedRequest* request;  // valid until the exchanges change
    bool stateless;
  };
  // The requests with these keys whose answer has not been delivered.
  std::vector<Asked> unanswered(const std::vector<std::string>& keys);

  auto begin() const { return open_.begin(); }
  auto end() const { return open_.end(); }

 private:
  std::vector<ExchangePtr> open_;  // in the order of their lines
};

}  // namespace hebb::capture
