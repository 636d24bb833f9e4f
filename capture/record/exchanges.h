// The exchanges of a bridge to a server behind HTTP that have not ended. Not for several threads:
// the bridge's mutex guards all of it.
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
  bool all_cancelled() const;  // all unanswered requests are cancelled
  bool awaited() const;        // whether a client that closes its end waits for it

  // The next request that no thread answers yet; null: there is none. Valid until `unanswered`
  // changes.
  ClientRequest* next_unanswered();
  // Ends an attempt to answer the request: it is answered, or open as before.
  void settle(const std::string& key, bool answered);

  ClientMessage message;  // not guarded: used by its thread, which frees the line after sending
  std::vector<ClientRequest> unanswered;  // until the answer has been delivered
  std::size_t unsent;                     // bytes: the whole line, or 0
  bool over = false;
  HttpPeer::Call call;  // guards itself
};
using ExchangePtr = std::shared_ptr<Exchange>;

class Exchanges {
 public:
  // Returns why there can be no further exchange; empty: it was added. A server may leave the
  // stream of an answer open: the oldest such stream is closed to make room. at_once: most
  // exchanges; unsent_bytes: most bytes of their lines (http_bridge.h, BridgeLimits).
  std::string add(const ExchangePtr& exchange, std::size_t at_once, std::size_t unsent_bytes);
  void remove(const ExchangePtr& exchange) { std::erase(open_, exchange); }

  // Handles `notice`, by which the client cancels a request: the end does not wait for its answer.
  // Its POST is closed if it has no other requests, and either the server has not read all of it,
  // or it is of the stateless era, in which closing the POST is itself the cancellation. Returns
  // whether the server needs no notice.
  bool cancel(const ClientMessage& notice);

  void stop_all();
  std::vector<ExchangePtr> awaited() const;
  // The requests of awaited() that no thread answers yet; the caller must answer them.
  std::vector<ClientRequest> take_awaited();

  struct Unanswered {
    ClientRequest* request;  // valid until the exchanges change
    bool stateless;
  };
  // The requests with these keys whose answer has not been delivered.
  std::vector<Unanswered> unanswered(const std::vector<std::string>& keys);

  auto begin() const { return open_.begin(); }
  auto end() const { return open_.end(); }

 private:
  std::vector<ExchangePtr> open_;  // in the order of their lines
};

}  // namespace hebb::capture
