// An HTTP client: exchanges with one server. Several may run at once, each on its own connection,
// which later exchanges reuse. Answers are passed on in pieces as they arrive.
//
// HTTP/1.1. No redirection is followed, no proxy is used, no cookie is kept. https verifies the
// server's certificate and name by the system's authorities, or by OpenSSL's variables
// SSL_CERT_FILE and SSL_CERT_DIR.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hebb {

// The address of a server.
struct HttpUrl {
  bool tls = false;
  std::string host;  // without the brackets of an IPv6 address
  int port = 0;
  std::string path;  // with the query; at least "/"

  std::string address() const;  // host:port, an IPv6 address in brackets
  std::string text() const;     // without the query, which may hold a key
};

bool is_http_url(std::string_view text);  // begins with http:// or https://

// Throws std::invalid_argument with the error and `example` as a correct form.
HttpUrl parse_http_url(std::string_view text, std::string_view example);

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

// Whether the text may be a header's value: no control characters but tabs.
bool is_header_value(std::string_view value);

// Status and headers of an answer.
struct HttpHead {
  int status = 0;
  std::string reason;
  HttpHeaders headers;

  std::string header(std::string_view name) const;  // ignoring case; empty: there is none
  std::string content_type() const;                 // in lower case, without parameters
};

struct HttpRequest {
  std::string method;
  HttpHeaders headers;
  // Must live until `sent` is called, or until the exchange ends without that call.
  std::string_view body;
  std::function<void()> sent;                        // called when the body was sent; may be empty
  std::function<bool(const HttpHead&)> head;         // false: the body is not wanted
  std::function<bool(std::string_view)> body_piece;  // false: stop the exchange
  std::chrono::milliseconds answer_within{0};        // for the whole exchange; 0: no limit
};

// Why the exchange failed, with the server's address; empty: the whole answer came.
using HttpFailure = std::string;

class HttpConnection;

class HttpPeer {
 public:
  // `headers` go with every request.
  HttpPeer(HttpUrl url, HttpHeaders headers);
  ~HttpPeer();  // precondition: no exchange is running
  const HttpUrl& url() const { return url_; }

  // One exchange, to be stopped from another thread.
  class Call {
   public:
    void stop();  // at any time: ends a running exchange soon, a later one at once
    bool stopped() const { return stopped_; }

   private:
    friend class HttpPeer;
    void uses(HttpConnection* connection);

    std::mutex mutex_;
    HttpConnection* connection_ = nullptr;  // set while an exchange runs; guarded by mutex_
    std::atomic<bool> stopped_ = false;
  };

  // Blocks until the exchange has ended; a request is sent once and never repeated, since the
  // server may have carried it out. Connecting takes at most ten seconds for each of the server's
  // addresses; looking up its name takes as long as the system's resolver. Any number of threads
  // may call it.
  HttpFailure exchange(const HttpRequest& request, Call& call);

 private:
  struct Idle {
    std::unique_ptr<HttpConnection> connection;
    std::chrono::steady_clock::time_point since;
  };
  std::unique_ptr<HttpConnection> take_connection();  // an idle one, or a new one

  const HttpUrl url_;
  const HttpHeaders headers_;
  std::mutex mutex_;  // guards idle_
  std::vector<Idle> idle_;
};

}  // namespace hebb
