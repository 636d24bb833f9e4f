// The exchanges of a bridge to a server behind HTTP that have not ended. Not for several threads:
// the bridge guards all of it with its mutex.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "capture/record/mcp_outgoing.h"
#include "net/peer.h"

namespace hebb::capture {

struct BridgeLimits {
  // How long a line waits for the one before it to arrive; then it overtakes.
  std::chrono::milliseconds order{1000};
  // How long lines after initialize wait for its answer, and the end for all open answers; anew
  // with each message of the server.
  std::chrono::milliseconds silence{300'000};
  std::size_t at_once = 512;                          // exchanges that have not ended
  std::size_t unsent_bytes = std::size_t{256} << 20;  // of their lines
};

// A POST with a line of the client.
struct Exchange {
  explicit Exchange(Outgoing m);
  bool asks() const { return !message.requests.empty(); }
  bool all_cancelled() const;  // all that has no answer
  bool awaited() const;        // whether a client that closes its end waits for it

  Outgoing message;  // not guarded: its thread uses it, and releases the line once it was sent
  std::vector<AskedRequest> unanswered;
  std::size_t unsent;  // bytes: all of the line, or none
  bool over = false;
  HttpPeer::Call call;  // guards itself
};
using ExchangePtr = std::shared_ptr<Exchange>;

class Exchanges {
 public:
  // Returns why there can be no further exchange; empty: it was added. A server may leave the
  // stream open on which it has answered: the oldest of these is closed to make room.
  std::string add(const ExchangePtr& exchange, const BridgeLimits& limits);
  void remove(const ExchangePtr& exchange) { std::erase(open_, exchange); }

  // A request is cancelled by closing its exchange if the server has not read it whole; and in the
  // stateless era always, where that is all (true). Otherwise the message has to be sent (false),
  // and the server then need not answer the request.
  bool cancel(const Outgoing& message);

  void stop_all();
  std::vector<ExchangePtr> awaited() const;

  auto begin() const { return open_.begin(); }
  auto end() const { return open_.end(); }

 private:
  std::vector<ExchangePtr> open_;  // in the order of their lines
};

}  // namespace hebb::capture
