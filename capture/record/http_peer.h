// HTTP exchanges with one server. Several may run at once, each with a connection of its own, which
// a later one reuses. Answers are passed on in pieces as they arrive.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/record/http_url.h"

namespace hebb::capture {

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

// Status and headers of an answer.
struct HttpHead {
  int status = 0;
  std::string reason;
  std::string content_type;  // in lower case, without parameters
  std::string location;      // the target of a redirection
  std::string mcp_session;   // Mcp-Session-Id; empty: there is none
};

struct HttpRequest {
  std::string method;
  HttpHeaders headers;
  std::string_view body;                             // must outlive the exchange
  std::function<void()> sent;                        // called when the body was sent; may be empty
  std::function<bool(const HttpHead&)> head;         // false: the body is not wanted
  std::function<bool(std::string_view)> body_piece;  // false: no more is wanted
  int answer_seconds = 0;                            // 0: however long it takes
};

// Why the exchange failed; empty: the whole answer came.
using HttpFailure = std::string;

class HttpPeer {
 public:
  // `headers` go with every request.
  HttpPeer(HttpUrl url, HttpHeaders headers);
  ~HttpPeer();  // precondition: no exchange is going on
  const HttpUrl& url() const;

  // One exchange, to be stopped from another thread.
  class Call {
   public:
    Call();
    ~Call();
    void stop();  // at any time; the exchange then ends soon, or at once if it begins later
    bool stopped() const;

   private:
    friend class HttpPeer;
    struct State;
    std::unique_ptr<State> state_;
  };

  // Blocks until the exchange has ended. Any number of threads may call it.
  HttpFailure exchange(const HttpRequest& request, Call& call);

 private:
  struct Connections;
  std::unique_ptr<Connections> connections_;
};

}  // namespace hebb::capture
