// One connection: requests in, answers out, and streams of events, as one coroutine. The only file
// that knows Boost.Beast.
#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/file_posix.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "serve/hub.h"
#include "text/ascii.h"

namespace hebb::serve {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;
using Protocol = asio::generic::stream_protocol;
using Executor = asio::io_context::executor_type;
using Socket = asio::basic_stream_socket<Protocol, Executor>;
using SocketStream = beast::basic_stream<Protocol, Executor>;
using Out = http::response<http::string_body>;
using FileBody = http::basic_file_body<beast::file_posix>;
template <class Result>
using Awaitable = asio::awaitable<Result, Executor>;
constexpr asio::use_awaitable_t<Executor> kAwaited;
// Awaits an operation; its error is stored rather than thrown.
auto into(error_code& ec) { return asio::redirect_error(kAwaited, ec); }

constexpr std::uint32_t kHeaderLimit = 8192;
constexpr std::size_t kMostFiles = 4;  // bodies in files at the same time
constexpr int kLingerMs = 1000;

// Increments `count` until the returned object is destroyed.
std::shared_ptr<void> one_more(std::size_t& count) {
  ++count;
  return {&count, [](std::size_t* n) { --*n; }};
}

// Calls start(done) and waits until `done` is called.
template <class Start>
auto when_done(Start start) {
  return asio::async_initiate<const asio::use_awaitable_t<Executor>, void()>(
      [](auto handler, Start begin) {
        const auto shared = std::make_shared<decltype(handler)>(std::move(handler));
        begin([shared] { std::move (*shared)(); });
      },
      kAwaited, std::move(start));
}

// A request and its answer.
struct Exchange {
  Request request = {};
  std::optional<http::request_parser<http::string_body>> text = {};  // one of these two, if
  std::optional<http::request_parser<FileBody>> file = {};           // there is a body
  std::shared_ptr<void> held = {}, counted = {};  // counters of the body, its file
  bool keep_alive = false;  // whether the connection stays open after the answer
  bool answering = false;   // the answer has begun
};

class HttpConnection final : public Connection,
                             public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(Hub& hub, Socket socket)
      : hub_(hub), stream_(std::move(socket)), wakened_(hub.io) {
    hub_.connections.insert(this);
  }
  ~HttpConnection() override { hub_.leave(this); }
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  void stop() override {
    if (idle_) close();
  }
  void wake(bool beat) override {
    awake_ = true;
    beat_ = beat_ || beat;
    wakened_.cancel();
  }

  // The whole life of the connection. An exception ends this connection alone, after an answer if
  // none has begun.
  Awaitable<void> serve() {
    auto next = Next::request;
    while (next == Next::request) {
      Exchange x;
      std::optional<Response> response;
      try {
        response = co_await respond(x);
        next = Next::close;
        if (response) next = co_await send(x, *response);
        continue;
      } catch (...) {
        hub_.log_thrown();
      }
      x.keep_alive = false;
      next = Next::close;
      if (!x.answering) next = co_await answer(x, failed_response());
    }
    if (next == Next::linger) co_await linger();
  }

 private:
  enum class Next : std::uint8_t { request, linger, close };

  Awaitable<Next> send(Exchange& x, Response& response) {
    if (response.stream && hub_.streams >= hub_.options.most_streams)
      response = try_again(429, "Too Many Requests", "there are too many streams", 5);
    if (!response.stream) co_return co_await answer(x, std::move(response));
    co_return co_await send_events(x, response);
  }

  // --- a request ---------------------------------------------------------------------------------

  // The response to the next request; nullopt: the client is gone.
  Awaitable<std::optional<Response>> respond(Exchange& x) {
    http::request_parser<http::empty_body> head;
    head.header_limit(kHeaderLimit);
    head.body_limit(boost::none);  // set once the header is known
    idle_ = buffer_.size() == 0;
    limit_time();
    error_code ec;
    co_await http::async_read_header(stream_, buffer_, head, into(ec));
    idle_ = false;
    if (ec) co_return refusal_of(x, ec);
    take_header(x.request, head.get());
    const bool keep = head.keep_alive();
    if (auto refusal = refuse(hub_.guard, x.request)) co_return refusal;
    if (const auto length = head.content_length(); length && *length > x.request.route.body_limit)
      co_return refusal_of(x, http::error::body_limit);
    if (!head.is_done()) {
      if (auto refusal = begin_body(x, head)) co_return refusal;
      ec = co_await read_body(x);
      if (ec) co_return refusal_of(x, ec);
    }
    x.keep_alive = keep;
    if (auto ready = hub_.handler.ready(x.request)) co_return ready;
    if (hub_.busy())
      co_return try_again(503, "Service Unavailable", "too many requests are waiting", 1);
    stream_.expires_never();
    const auto waiting = one_more(hub_.waiting);
    Response response = failed_response();
    if (Handler::writes(x.request)) {
      co_await when_done([&](Hub::Work done) { hub_.write(x.request, response, std::move(done)); });
    } else {
      const auto work = [&] { response = hub_.respond(x.request); };
      co_await when_done([&](Hub::Work done) { hub_.read(work, std::move(done)); });
    }
    co_return response;
  }

  static void take_header(Request& request, const http::request<http::empty_body>& message) {
    request.begin = std::chrono::steady_clock::now();
    request.is_old = message.version() != 11;
    request.is_head = message.method() == http::verb::head;
    request.method = request.is_head ? "GET" : std::string(message.method_string());
    request.target = std::string(message.target());
    for (const auto& field : message) {
      auto name = to_lower(field.name_string());
      const bool first = request.headers.emplace(name, field.value()).second;
      if (!first) request.repeated.push_back(std::move(name));
    }
    request.takes_gzip = takes_gzip(request.header("accept-encoding"));
    request.route = find_route(request);
  }

  // Prepares a buffer or a file for the body.
  std::optional<Response> begin_body(Exchange& x, http::request_parser<http::empty_body>& head) {
    const std::size_t limit = x.request.route.body_limit;
    if (!x.request.route.body_is_file) {
      const std::size_t most = head.content_length().value_or(limit);
      if (!hub_.can_hold(most)) return too_much_held();
      x.held = hub_.hold(most);
      x.text.emplace(std::move(head));
      x.text->body_limit(limit);
      return std::nullopt;
    }
    const int fd = hub_.files >= kMostFiles ? -1 : unnamed_file();
    if (fd < 0) return try_again(503, "Service Unavailable", "too many imports at a time", 5);
    beast::file_posix file;
    file.native_handle(fd);
    x.counted = one_more(hub_.files);
    x.request.body_file = fd;
    x.file.emplace(std::move(head));
    x.file->body_limit(limit);
    error_code ec;
    x.file->get().body().reset(std::move(file), ec);
    if (ec) return problem_response(500, "Internal Server Error", ec.message());
    return std::nullopt;
  }

  Awaitable<error_code> read_body(Exchange& x) {
    error_code ec;
    if (beast::iequals(x.request.header("expect"), "100-continue")) {
      http::response<http::empty_body> go_on{http::status::continue_, 11};
      co_await http::async_write(stream_, go_on, into(ec));
      if (ec) co_return ec;
    }
    if (x.file) {
      co_await http::async_read(stream_, buffer_, *x.file, into(ec));
    } else {
      co_await http::async_read(stream_, buffer_, *x.text, into(ec));
      x.request.body = std::move(x.text->get().body());
    }
    co_return ec;
  }

  // The answer to a request that cannot be parsed, if one is possible.
  static std::optional<Response> refusal_of(const Exchange& x, error_code ec) {
    if (ec == http::error::body_limit) {
      const auto limit = x.request.route.body_limit;
      return problem_response(413, "Content Too Large",
                              fmt::format("a body may have {} bytes here", limit));
    }
    if (ec == http::error::header_limit) {
      return problem_response(431, "Request Header Fields Too Large",
                              fmt::format("a header may have {} bytes", kHeaderLimit));
    }
    const bool is_http = ec.category() == http::make_error_code(http::error::bad_method).category();
    if (!is_http || ec == http::error::end_of_stream) return std::nullopt;
    return problem_response(400, "Bad Request", "this is no HTTP request: " + ec.message());
  }

  // --- its answer --------------------------------------------------------------------------------

  Awaitable<Next> answer(Exchange& x, Response response) {
    x.keep_alive = x.keep_alive && !hub_.stopping;
    hub_.log(x.request, response);
    Out out = head_of(response.status);
    if (!response.body.empty()) {
      out.set(http::field::content_type, response.content_type);
      out.set(http::field::vary, "Accept-Encoding");
    }
    if (!response.gzip.empty() && x.request.takes_gzip) {
      out.set(http::field::content_encoding, "gzip");
      response.body = std::move(response.gzip);
    }
    for (const auto& [name, value] : response.headers) out.set(name, value);
    const auto held = response.held ? std::move(response.held) : hub_.hold(response.body.size());
    if (response.status != 304) out.content_length(response.body.size());
    if (!x.request.is_head) out.body() = std::move(response.body);
    out.keep_alive(x.keep_alive);
    limit_time();
    x.answering = true;
    error_code ec;
    co_await http::async_write(stream_, out, into(ec));
    co_return ec || !x.keep_alive || hub_.stopping ? Next::linger : Next::request;
  }

  // Adds the headers that all answers have.
  static Out head_of(int status) {
    Out out{static_cast<http::status>(status), 11};
    out.set(http::field::server, "hebb");
    out.set("X-Content-Type-Options", "nosniff");
    out.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    out.set("Cross-Origin-Resource-Policy", "same-origin");
    out.set(http::field::cache_control, "no-cache");
    return out;
  }

  // After the last answer: unread bytes would make the kernel reset the connection before the
  // client has the answer, so they are read and dropped for a moment.
  Awaitable<void> linger() {
    error_code ec;
    idle_ = true;
    stream_.socket().shutdown(Protocol::socket::shutdown_send, ec);
    stream_.expires_after(
        std::chrono::milliseconds(std::min(hub_.options.request_timeout_ms, kLingerMs)));
    while (!ec && !hub_.stopping)
      co_await stream_.async_read_some(asio::buffer(ignored_), into(ec));
  }

  // --- streams -----------------------------------------------------------------------------------

  Awaitable<Next> send_events(Exchange& x, const Response& response) {
    const auto counted = one_more(hub_.streams);
    hub_.log(x.request, response);
    Out out = head_of(response.status);
    out.set(http::field::content_type, "text/event-stream");
    out.set(http::field::cache_control, "no-store");
    out.set("X-Accel-Buffering", "no");
    out.keep_alive(false);  // the body ends when the connection is closed
    http::response_serializer<http::string_body> header(out);
    x.answering = true;
    limit_time();
    error_code ec;
    co_await http::async_write_header(stream_, header, into(ec));
    if (x.request.is_head) co_return Next::linger;
    idle_ = true;
    asio::co_spawn(
        hub_.io.get_executor(), [self = shared_from_this()] { return self->listen(); },
        asio::detached);
    std::string text = "retry: 1000\n\n";
    while (!ec && stream_.socket().is_open()) {
      if (text.empty()) {
        co_await wakened();
      } else {
        limit_time();
        co_await asio::async_write(stream_, asio::buffer(text), into(ec));
      }
      text = co_await next_of(*response.stream);
    }
    close();
    co_return Next::close;
  }

  // The next piece of a stream, or a sign of life; empty: there is nothing to send yet.
  Awaitable<std::string> next_of(Stream& source) {
    std::string text;
    const auto position = hub_.handler.position();
    if (source.behind(position)) {
      const auto work = [&] {
        try {
          text = source.next(position);
        } catch (...) {  // the database is busy: the next wake() tries again
        }
      };
      co_await when_done([&](Hub::Work done) { hub_.read(work, std::move(done)); });
    }
    if (text.empty() && beat_) text = ": still here\n\n";
    beat_ = false;
    co_return text;
  }

  Awaitable<void> wakened() {
    error_code ignored;
    wakened_.expires_at(asio::steady_timer::time_point::max());
    if (!awake_) co_await wakened_.async_wait(into(ignored));
    awake_ = false;
  }

  // Ends when the client, which sends nothing more on a stream, closes the connection.
  Awaitable<void> listen() {
    error_code ec;
    while (!ec) {
      stream_.expires_never();
      co_await stream_.async_read_some(asio::buffer(ignored_), into(ec));
    }
    close();
    wake(false);
  }

  // --- the time limit and the end ----------------------------------------------------------------

  void limit_time() {
    stream_.expires_after(std::chrono::milliseconds(hub_.options.request_timeout_ms));
  }

  void close() {
    error_code ignored;
    stream_.socket().shutdown(Protocol::socket::shutdown_both, ignored);
    stream_.close();
  }

  Hub& hub_;
  SocketStream stream_;
  beast::flat_buffer buffer_{kHeaderLimit + 65536};
  char ignored_[4096];
  bool idle_ = true;                   // may be closed: waits for a request, or sends a stream
  asio::steady_timer wakened_;         // cancelled to wake a stream
  bool awake_ = false, beat_ = false;  // set by wake(), cleared by the stream
};

}  // namespace

void serve_connection(Hub& hub, int fd, int family) {
  Socket socket(hub.io);
  try {
    socket.assign(Protocol(family, 0), fd);
  } catch (...) {  // out of memory or descriptors
    ::close(fd);
    return;
  }
  const auto connection = std::make_shared<HttpConnection>(hub, std::move(socket));
  asio::co_spawn(
      hub.io.get_executor(), [connection] { return connection->serve(); },
      [&hub](const std::exception_ptr& thrown) {
        if (thrown) hub.guarded([&] { std::rethrow_exception(thrown); });
      });
}

}  // namespace hebb::serve
