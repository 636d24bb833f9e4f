// HTTP exchanges with one server: several at once, each with a connection of its own, which the
// next one takes over. Answers come in pieces as they arrive, however slowly.
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

// What a server says before the body.
struct HttpHead {
  int status = 0;
  std::string reason;
  std::string content_type;  // in lower case, without parameters
  std::string location;      // where a redirection leads
  std::string mcp_session;   // Mcp-Session-Id; empty: there is none
};

struct HttpRequest {
  std::string method;
  HttpHeaders headers;
  std::string_view body;                             // must outlive the exchange
  std::function<void()> sent;                        // the body is on its way; may be empty
  std::function<bool(const HttpHead&)> head;         // false: the body is not wanted
  std::function<bool(std::string_view)> body_piece;  // false: no more is wanted
  int answer_seconds = 0;                            // 0: however long it takes
};

// A failure to exchange; empty: there was an answer, to its end.
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
    void stop();  // before, in or after its exchange; the exchange then ends soon
    bool stopped() const;

   private:
    friend class HttpPeer;
    struct State;
    std::unique_ptr<State> state_;
  };

  // Blocks. Any number of threads may.
  HttpFailure exchange(const HttpRequest& request, Call& call);

 private:
  struct Connections;
  std::unique_ptr<Connections> connections_;
};

}  // namespace hebb::capture
