// The only file of this room that knows Boost.Beast and OpenSSL.
#include "capture/net/peer.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <mutex>
#include <optional>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/span_body.hpp>
#include <boost/beast/http/write.hpp>
#include <fmt/format.h>
#include <openssl/ssl.h>
#include <sys/socket.h>

#include "capture/net/openssl.h"
#include "text/ascii.h"

namespace hebb {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace ssl = asio::ssl;
using boost::system::error_code;
using std::chrono::milliseconds;
using std::chrono::seconds;
using Clock = std::chrono::steady_clock;
using Until = std::optional<Clock::time_point>;  // nullopt: for ever
using Message = http::request<http::span_body<const char>>;
using Executor = asio::io_context::executor_type;
using Resolver = asio::ip::basic_resolver<asio::ip::tcp, Executor>;
using TcpStream = beast::basic_stream<asio::ip::tcp, Executor>;
using Parser = http::response_parser<http::buffer_body>;

constexpr seconds kConnectWithin{10};  // per address; the TLS handshake has the same time again
constexpr seconds kWriteWithin{60};    // until the server takes some more
constexpr std::uint32_t kHeaderBytes = 64 << 10;
constexpr std::size_t kBytesAtOnce = 64 << 10;
constexpr const char* kStopped = "stopped";
// A server may close an idle connection at any time, often after five seconds. A request sent at
// that moment fails and cannot be repeated, because the server may have carried it out.
constexpr seconds kReuseWithin{2};
constexpr std::size_t kIdleConnections = 16;

// The client side of TLS 1.2 or later, which requires a certificate of `host` signed by an
// authority that the system trusts; null: the setup failed.
SSL* new_tls_client(const std::string& host) {
  const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(SSL_CTX_new(TLS_client_method()),
                                                                  &SSL_CTX_free);
  if (!context) return nullptr;
  SSL_CTX_set_options(context.get(), SSL_OP_ALL | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  if (SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION) != 1 ||
      SSL_CTX_set_default_verify_paths(context.get()) != 1)
    return nullptr;
  SSL* const tls = SSL_new(context.get());
  if (!tls) return nullptr;
  error_code is_name;
  asio::ip::make_address(host, is_name);
  const bool expects = is_name
                           ? SSL_set_tlsext_host_name(tls, host.c_str()) == 1 &&
                                 SSL_set1_host(tls, host.c_str()) == 1
                           : X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(tls), host.c_str()) == 1;
  if (expects) return tls;
  SSL_free(tls);
  return nullptr;
}

HttpHead head_of(const Parser& parser) {
  HttpHead head;
  head.status = static_cast<int>(parser.get().result_int());
  head.reason = parser.get().reason();
  for (const auto& field : parser.get()) {
    head.headers.emplace_back(field.name_string(), field.value());
  }
  return head;
}

}  // namespace

bool is_header_value(std::string_view value) {
  return std::all_of(value.begin(), value.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == '\t' || (byte >= 0x20 && byte != 0x7f);
  });
}

std::string HttpHead::header(std::string_view name) const {
  const auto found = std::find_if(headers.begin(), headers.end(),
                                  [&](const auto& one) { return same_name(one.first, name); });
  return found == headers.end() ? std::string() : found->second;
}

std::string HttpHead::content_type() const {
  const std::string type = header("Content-Type");
  return to_lower(trim(std::string_view(type).substr(0, type.find(';'))));
}

// One connection to a server, opened when needed.
class HttpConnection {
 public:
  explicit HttpConnection(const HttpUrl& url) : url_(url) {}

  // Blocks until the exchange has ended. `headers`: all headers but those of HTTP itself. To stop
  // it, set `stopped` and then call interrupt().
  HttpFailure exchange(const HttpRequest& request, const HttpHeaders& headers,
                       const std::atomic<bool>& stopped) {
    stopped_ = &stopped;
    HttpFailure failure = open_ && alive() ? HttpFailure() : connect();
    if (failure.empty()) failure = send(request, headers);
    if (failure.empty()) failure = receive(request);
    if (failure.empty()) return failure;
    close();
    return stopped ? kStopped : failure;
  }

  bool is_open() const { return open_; }  // after an exchange: whether another one can follow

  // Ends the waits of a running exchange. Any thread.
  void interrupt() {
    asio::post(io_, [this] {
      resolver_.cancel();
      if (tcp_) tcp_->close();
    });
  }

 private:
  // Waits for one asynchronous operation, and runs interrupt()'s work meanwhile.
  template <typename Start>
  error_code wait(Start start) {
    if (*stopped_) return asio::error::operation_aborted;
    error_code result;
    start([&result](error_code error, auto&&...) { result = error; });
    io_.restart();
    io_.run();
    return result;
  }
  template <typename Start>
  error_code wait(Until until, Start start) {
    if (until) {
      tcp_->expires_at(*until);
    } else {
      tcp_->expires_never();
    }
    return wait(std::move(start));
  }
  // Calls `use` with the stream that carries HTTP: TLS, or TCP itself.
  template <typename Use>
  void with_stream(Use use) {
    if (tls_) {
      use(*tls_);
    } else {
      use(*tcp_);
    }
  }

  void close() {
    open_ = false;
    tls_.reset();
    tcp_.reset();
    buffer_.clear();
  }

  // Whether the server has neither closed the connection nor sent bytes since the last answer.
  bool alive() {
    char byte = 0;
    const auto got = ::recv(tcp_->socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
  }

  HttpFailure unreachable(std::string_view why) const {
    return fmt::format("{} cannot be reached ({})", url_.text(), why);
  }

  HttpFailure connect() {
    close();
    if (url_.tls) {
      if (const auto& missing = load_openssl(); !missing.empty()) return unreachable(missing);
    }
    Resolver::results_type addresses;
    error_code error = wait([&](auto done) {
      resolver_.async_resolve(
          url_.host, std::to_string(url_.port), Resolver::numeric_service,
          [&addresses, done](error_code e, Resolver::results_type found) mutable {
            addresses = std::move(found);
            done(e);
          });
    });
    if (error) return unreachable("looking up its name: " + error.message());
    for (const auto& address : addresses) {
      tcp_.emplace(io_);
      error = wait(Clock::now() + kConnectWithin,
                   [&](auto done) { tcp_->async_connect(address.endpoint(), done); });
      if (!error || *stopped_) break;
    }
    if (error == beast::error::timeout) {
      return unreachable(fmt::format("no connection within {} s", kConnectWithin.count()));
    }
    if (error == asio::error::connection_refused) {
      return unreachable(error.message() + ": is the server running?");
    }
    if (error) return unreachable(error.message());
    error_code ignored;
    tcp_->socket().set_option(asio::ip::tcp::no_delay(true), ignored);
    HttpFailure failure = url_.tls ? shake_hands() : HttpFailure();
    open_ = failure.empty();
    return failure;
  }

  HttpFailure shake_hands() {
    SSL* const handle = new_tls_client(url_.host);
    if (!handle) return unreachable("TLS could not be set up");
    tls_.emplace(*tcp_, handle);
    const error_code error = wait(Clock::now() + kConnectWithin, [&](auto done) {
      tls_->async_handshake(ssl::stream_base::client, done);
    });
    if (!error) return {};
    if (const long verdict = SSL_get_verify_result(handle); verdict != X509_V_OK) {
      return fmt::format(
          "{} is not trusted (its certificate: {}); the environment variable SSL_CERT_FILE can "
          "name a file with the authority that signed it",
          url_.text(), X509_verify_cert_error_string(verdict));
    }
    return unreachable("TLS: " + error.message());
  }

  Message message(const HttpRequest& request, const HttpHeaders& headers) const {
    Message message(http::verb::unknown, url_.path, 11);
    message.method_string(request.method);
    const bool usual = url_.port == (url_.tls ? 443 : 80);
    const std::string address = url_.address();
    message.set(http::field::host, usual ? address.substr(0, address.rfind(':')) : address);
    message.set(http::field::accept_encoding, "identity");
    for (const auto& [name, value] : headers) message.insert(name, value);
    if (message.count(http::field::user_agent) == 0) message.set(http::field::user_agent, "hebb");
    message.body() = {request.body.data(), request.body.size()};
    message.prepare_payload();
    return message;
  }

  HttpFailure send(const HttpRequest& request, const HttpHeaders& headers) {
    const Message message = this->message(request, headers);
    http::request_serializer<http::span_body<const char>> writer(message);
    error_code error;
    while (!error && !writer.is_done()) {
      error = wait(Clock::now() + kWriteWithin, [&](auto done) {
        with_stream([&](auto& stream) { http::async_write_some(stream, writer, done); });
      });
    }
    if (error == beast::error::timeout) {
      return fmt::format("{} took nothing of the request for {} s", url_.text(),
                         kWriteWithin.count());
    }
    if (error) return broken_off(error);
    if (request.sent) request.sent();
    return {};
  }

  HttpFailure broken_off(error_code error) const {
    return fmt::format("the connection to {} broke off ({})", url_.text(), error.message());
  }

  HttpFailure receive(const HttpRequest& request) {
    Until until;
    if (request.answer_within > milliseconds(0)) until = Clock::now() + request.answer_within;
    std::optional<Parser> parser;
    do {  // a status of 1xx comes before the answer
      parser.emplace();
      parser->header_limit(kHeaderBytes);
      parser->body_limit(boost::none);
      const error_code error = wait(until, [&](auto done) {
        with_stream([&](auto& stream) { http::async_read_header(stream, buffer_, *parser, done); });
      });
      if (error) return not_received(error, request);
    } while (parser->get().result_int() / 100 == 1);
    // A body without a length ends when the connection does; do not wait for that with a 202.
    const bool endless = !parser->is_done() && !parser->content_length() && !parser->chunked() &&
                         parser->get().result_int() == 202;
    bool wanted = request.head(head_of(*parser)) && !endless;
    parser->eager(false);  // else received bytes would wait for the next chunk's beginning
    std::array<char, kBytesAtOnce> piece;
    while (wanted && !parser->is_done()) {
      auto& body = parser->get().body();
      body.data = piece.data();
      body.size = piece.size();
      error_code error = wait(until, [&](auto done) {
        with_stream([&](auto& stream) { http::async_read_some(stream, buffer_, *parser, done); });
      });
      if (error == http::error::need_buffer) error = {};
      const std::size_t got = piece.size() - body.size;
      if (got > 0) wanted = request.body_piece({piece.data(), got});
      if (error && wanted) return not_received(error, request);
    }
    if (!wanted || !parser->keep_alive() || buffer_.size() > 0) close();
    return {};
  }

  HttpFailure not_received(error_code error, const HttpRequest& request) const {
    if (error == beast::error::timeout) {
      return fmt::format("{} did not answer within {:g} s", url_.text(),
                         std::chrono::duration<double>(request.answer_within).count());
    }
    const bool ended = error == http::error::end_of_stream || error == http::error::partial_message;
    if (!ended && error.category() == http::make_error_code(http::error::bad_version).category()) {
      return fmt::format("what {} answered is no HTTP ({})", url_.text(), error.message());
    }
    return broken_off(error);
  }

  const HttpUrl url_;
  asio::io_context io_{1};
  Resolver resolver_{io_};
  std::optional<TcpStream> tcp_;
  std::optional<ssl::stream<TcpStream&>> tls_;  // over tcp_
  beast::flat_buffer buffer_;                   // bytes read but not yet parsed
  bool open_ = false;
  const std::atomic<bool>* stopped_ = nullptr;  // of the running exchange
};

// --- the server ----------------------------------------------------------------------------------

void HttpPeer::Call::stop() {
  stopped_ = true;
  const std::lock_guard lock(mutex_);
  if (connection_ != nullptr) connection_->interrupt();
}

void HttpPeer::Call::uses(HttpConnection* connection) {
  const std::lock_guard lock(mutex_);
  connection_ = connection;
}

HttpPeer::HttpPeer(HttpUrl url, HttpHeaders headers)
    : url_(std::move(url)), headers_(std::move(headers)) {}
HttpPeer::~HttpPeer() = default;

std::unique_ptr<HttpConnection> HttpPeer::take_connection() {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  std::erase_if(idle_, [&](const Idle& one) { return now - one.since > kReuseWithin; });
  if (idle_.empty()) return std::make_unique<HttpConnection>(url_);
  std::unique_ptr<HttpConnection> connection = std::move(idle_.back().connection);
  idle_.pop_back();
  return connection;
}

HttpFailure HttpPeer::exchange(const HttpRequest& request, Call& call) {
  HttpHeaders headers = headers_;
  headers.insert(headers.end(), request.headers.begin(), request.headers.end());
  for (const auto& [name, value] : headers) {
    if (is_header_value(value)) continue;
    return fmt::format("nothing was sent to {}: the header {} has a control character", url_.text(),
                       name);
  }
  std::unique_ptr<HttpConnection> connection = take_connection();
  HttpFailure failure;
  {
    call.uses(connection.get());
    // Also if a callback of the request throws, which destroys the connection.
    const std::unique_ptr<Call, void (*)(Call*)> in_use(&call, [](Call* c) { c->uses(nullptr); });
    failure = connection->exchange(request, headers, call.stopped_);
  }
  // A connection whose call was stopped is not used again: interrupt() only asks for it to be
  // closed, and the closing may not have happened yet.
  if (!connection->is_open() || call.stopped()) return failure;
  const std::lock_guard lock(mutex_);
  if (idle_.size() < kIdleConnections) idle_.push_back({std::move(connection), Clock::now()});
  return failure;
}

}  // namespace hebb
