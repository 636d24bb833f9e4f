#include "serve/server.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <set>
#include <stdexcept>

#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <fmt/format.h>
#include <sys/socket.h>

#include "serve/guard.h"
#include "serve/handler.h"

namespace hebb::serve {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;
using Protocol = asio::generic::stream_protocol;
using Stream = beast::basic_stream<Protocol>;

constexpr std::uint32_t kHeaderLimit = 8192;
constexpr std::size_t kThreads = 2;

std::string logfmt_text(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

class Connection;

// What the connections share. Only the I/O thread uses it, except for the handler.
struct Hub {
  Hub(api::Session& session, const ServeOptions& o)
      : options(o), handler(session), pool(kThreads) {}

  const ServeOptions& options;
  GuardOptions guard;
  std::set<Connection*> connections;  // declared before `io`, which may destroy the last ones
  std::size_t waiting = 0;            // requests that were given to the pool
  bool stopping = false;
  Handler handler;
  asio::io_context io{1};
  asio::thread_pool pool;
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(Hub& hub, Protocol::socket socket) : hub_(hub), stream_(std::move(socket)) {
    hub_.connections.insert(this);
  }
  ~Connection() { hub_.connections.erase(this); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void read_header() {
    request_ = {};
    parser_.emplace();
    parser_->header_limit(kHeaderLimit);
    parser_->body_limit(boost::none);  // set once the header is known
    idle_ = buffer_.size() == 0;
    stream_.expires_after(std::chrono::milliseconds(hub_.options.request_timeout_ms));
    http::async_read_header(stream_, buffer_, *parser_,
                            [self = shared_from_this()](error_code ec, std::size_t) {
                              self->idle_ = false;
                              self->on_header(ec);
                            });
  }
  // The server ends: closes now if no request is under way, else after the response.
  void stop() {
    if (idle_) close();
  }
  void close() {
    error_code ignored;
    stream_.socket().shutdown(Protocol::socket::shutdown_both, ignored);
    stream_.close();
  }

 private:
  void on_header(error_code ec) {
    if (ec == http::error::end_of_stream || ec == beast::error::timeout) return close();
    if (ec) return refuse_bytes(ec);
    const auto& message = parser_->get();
    begin_ = std::chrono::steady_clock::now();
    request_.method = std::string(message.method_string());
    request_.target = std::string(message.target());
    for (const auto& field : message) {
      std::string name(field.name_string());
      std::transform(name.begin(), name.end(), name.begin(),
                     [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
      request_.headers.emplace(std::move(name), std::string(field.value()));
    }
    if (auto refusal = wrong_framing()) return last(std::move(*refusal));
    if (auto refusal = refuse(hub_.guard, request_)) return last(std::move(*refusal));
    const auto limit = Handler::body_limit(request_);
    const auto length = parser_->content_length();
    if (length && *length > limit) return last(too_large(limit));
    parser_->body_limit(limit);
    read_body();
  }

  // Refuses headers that proxies and servers read differently (request smuggling).
  std::optional<Response> wrong_framing() const {
    const auto& message = parser_->get();
    const auto times = [&](http::field name) { return message.count(name); };
    const bool old = message.version() != 11;
    const std::string& coding = request_.header("transfer-encoding");
    if (times(http::field::host) > 1 || times(http::field::content_length) > 1 ||
        times(http::field::transfer_encoding) > 1 || times(http::field::authorization) > 1)
      return problem_response(400, "Bad Request", "a header that may be there once is there twice");
    if (times(http::field::transfer_encoding) &&
        (old || times(http::field::content_length) || !beast::iequals(coding, "chunked")))
      return problem_response(400, "Bad Request", "Transfer-Encoding may be chunked alone");
    return std::nullopt;
  }

  static Response too_large(std::size_t limit) {
    return problem_response(413, "Content Too Large",
                            fmt::format("a body may have {} bytes here", limit));
  }

  void read_body() {
    if (beast::iequals(request_.header("expect"), "100-continue")) {
      continue_ = {http::status::continue_, 11};
      return http::async_write(stream_, continue_,
                               [self = shared_from_this()](error_code ec, std::size_t) {
                                 if (!ec) self->read_rest();
                               });
    }
    read_rest();
  }

  void read_rest() {
    http::async_read(
        stream_, buffer_, *parser_,
        [self = shared_from_this()](error_code ec, std::size_t) { self->on_body(ec); });
  }

  void on_body(error_code ec) {
    if (ec == http::error::body_limit) return last(too_large(Handler::body_limit(request_)));
    if (ec == beast::error::timeout) return close();
    if (ec) return refuse_bytes(ec);
    request_.body = std::move(parser_->get().body());
    if (hub_.waiting >= hub_.options.most_waiting) {
      Response busy = problem_response(503, "Service Unavailable", "too many requests are waiting");
      busy.headers.emplace_back("Retry-After", "1");
      return answer(std::move(busy), parser_->keep_alive());
    }
    ++hub_.waiting;
    stream_.expires_never();
    asio::post(hub_.pool, [self = shared_from_this()] {
      Response response = self->hub_.handler.handle(self->request_);
      asio::post(self->hub_.io, [self, response = std::move(response)]() mutable {
        --self->hub_.waiting;
        self->answer(std::move(response), self->parser_->keep_alive());
      });
    });
  }

  // Answers bytes that are not a valid HTTP request.
  void refuse_bytes(error_code ec) {
    if (ec == http::error::header_limit) {
      return last(problem_response(431, "Request Header Fields Too Large",
                                   fmt::format("a header may have {} bytes", kHeaderLimit)));
    }
    if (ec.category() != http::make_error_code(http::error::bad_method).category()) return close();
    last(problem_response(400, "Bad Request", "this is no HTTP request: " + ec.message()));
  }

  void last(Response response) { answer(std::move(response), false); }

  void answer(Response response, bool keep) {
    const bool go_on = keep && !hub_.stopping;
    log(response);
    response_ = {static_cast<http::status>(response.status), 11};
    response_.set(http::field::server, "hebb");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    response_.set(http::field::cache_control, "no-cache");
    if (!response.body.empty()) response_.set(http::field::content_type, response.content_type);
    for (const auto& [name, value] : response.headers) response_.set(name, value);
    if (response.status != 304) response_.content_length(response.body.size());
    response_.body() = std::move(response.body);
    response_.keep_alive(go_on);
    stream_.expires_after(std::chrono::milliseconds(hub_.options.request_timeout_ms));
    http::async_write(stream_, response_,
                      [self = shared_from_this(), go_on](error_code ec, std::size_t) {
                        if (ec || !go_on || self->hub_.stopping) return self->close();
                        self->read_header();
                      });
  }

  void log(const Response& response) const {
    if (!hub_.options.log) return;
    const std::chrono::duration<double, std::milli> took =
        std::chrono::steady_clock::now() - begin_;
    hub_.options.log(fmt::format("level={} method={} target={} operation={} status={} ms={:.1f}",
                                 response.status >= 500 ? "error" : "info",
                                 logfmt_text(request_.method), logfmt_text(request_.target),
                                 response.operation.empty() ? "none" : response.operation,
                                 response.status, request_.method.empty() ? 0 : took.count()));
  }

  Hub& hub_;
  Stream stream_;
  beast::flat_buffer buffer_{kHeaderLimit + 65536};
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> response_;
  http::response<http::empty_body> continue_;
  Request request_;
  std::chrono::steady_clock::time_point begin_;
  bool idle_ = true;  // no byte of a request has come
};

// Takes connections from one listening socket.
class Listener {
 public:
  Listener(Hub& hub, int fd) : hub_(hub), descriptor_(hub.io, fd) { wait(); }
  void stop() {
    error_code ignored;
    descriptor_.close(ignored);
  }

 private:
  void wait() {
    descriptor_.async_wait(asio::posix::stream_descriptor::wait_read, [this](error_code ec) {
      if (ec) return;
      take();
      wait();
    });
  }
  void take() {
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    const int fd = ::accept4(descriptor_.native_handle(), reinterpret_cast<sockaddr*>(&peer), &size,
                             SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return;
    Protocol::socket socket(hub_.io);
    error_code ec;
    const int family = peer.ss_family == AF_UNSPEC ? AF_UNIX : peer.ss_family;
    socket.assign(Protocol(family, 0), fd, ec);
    // With too many connections, new ones are closed at once.
    if (ec || hub_.connections.size() >= hub_.options.most_connections) return;
    std::make_shared<Connection>(hub_, std::move(socket))->read_header();
  }

  Hub& hub_;
  asio::posix::stream_descriptor descriptor_;
};

std::vector<Listening> open_sockets(const ServeOptions& options) {
  if (auto inherited = inherited_sockets(); !inherited.empty()) return inherited;
  const Address& address = options.address;
  if (address.socket.empty() && !is_loopback(address.host) && options.token.empty()) {
    throw std::runtime_error(fmt::format(
        "{} can be reached by others: name a file with a secret, --token-file FILE", address.host));
  }
  return {listen_on(address)};
}

void add_hosts(GuardOptions& guard, const Listening& listening, const ServeOptions& options) {
  const auto colon = listening.name.rfind(':');
  const std::string port = listening.name.substr(colon);
  guard.hosts.push_back("localhost");
  if (!listening.name.starts_with("unix:")) {
    guard.hosts.back() += port;
    guard.hosts.push_back(listening.name);
  }
  for (const std::string& host : options.hosts) {
    guard.hosts.push_back(host);
    if (!listening.name.starts_with("unix:")) guard.hosts.push_back(host + port);
  }
}

}  // namespace

void run_server(api::Session& session, const ServeOptions& options) {
  Hub hub(session, options);
  const auto log = [&](const std::string& line) {
    if (options.log) options.log(line);
  };
  std::vector<std::unique_ptr<Listener>> listeners;
  hub.guard.token = options.token;
  for (const Listening& listening : open_sockets(options)) {
    add_hosts(hub.guard, listening, options);
    listeners.push_back(std::make_unique<Listener>(hub, listening.fd));
    log(fmt::format("level=info listening={}", logfmt_text(listening.name)));
  }
  asio::steady_timer patience(hub.io);
  asio::signal_set signals(hub.io, SIGTERM, SIGINT);
  signals.async_wait([&](error_code ec, int) {
    if (ec) return;
    notify_manager("STOPPING=1");
    log("level=info stopping=true");
    hub.stopping = true;
    for (auto& listener : listeners) listener->stop();
    const std::set<Connection*> connections = hub.connections;
    for (Connection* connection : connections) connection->stop();
    patience.expires_after(std::chrono::milliseconds(options.stop_timeout_ms));
    patience.async_wait([&](error_code cancelled) {
      if (!cancelled) hub.io.stop();
    });
    // When the last connection has ended, cancels the timer, which would keep the program running.
    const auto look = std::make_shared<asio::steady_timer>(hub.io);
    const auto again = std::make_shared<std::function<void()>>();
    *again = [&hub, &patience, look, again] {
      if (hub.connections.empty()) {
        patience.cancel();
        *again = nullptr;
        return;
      }
      look->expires_after(std::chrono::milliseconds(20));
      look->async_wait([again](error_code) {
        if (const auto next = *again) next();
      });
    };
    if (const auto first = *again) first();
  });
  notify_manager("READY=1");
  hub.io.run();
  hub.pool.join();
}

}  // namespace hebb::serve
