// One connection: requests in, answers out, and streams of events. The only file that knows
// Boost.Beast.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <boost/asio/buffer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/file_posix.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/basic_file_body.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "serve/hub.h"
#include "serve/log.h"

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
using FileBody = http::basic_file_body<beast::file_posix>;

constexpr std::uint32_t kHeaderLimit = 8192;
constexpr std::size_t kMostFiles = 4;  // bodies in files at a time

// A file without a name, for a body; -1: none can be made.
int unnamed_file() {
  const char* folder = std::getenv("TMPDIR");
  std::string path = std::string(folder && *folder ? folder : "/tmp") + "/hebb-XXXXXX";
  const int fd = ::mkostemp(path.data(), O_CLOEXEC);
  if (fd >= 0) ::unlink(path.c_str());
  return fd;
}

class HttpConnection final : public Connection,
                             public std::enable_shared_from_this<HttpConnection> {
  // Does work on the I/O thread. What it throws ends this connection alone, after an answer if none
  // has begun.
  template <class Work>
  void guarded(Work&& work) noexcept {
    if (hub_.guarded(work)) return;
    const bool told = !answering_ && !streaming_ && hub_.guarded([&] { last(failed_response()); });
    if (!told) close();
  }

  // What an asynchronous operation calls when it is done: the member, guarded.
  auto then(void (HttpConnection::*next)(error_code)) {
    return [self = shared_from_this(), next](error_code ec, std::size_t) {
      self->guarded([&] { ((*self).*next)(ec); });
    };
  }

 public:
  HttpConnection(Hub& hub, Socket socket) : hub_(hub), stream_(std::move(socket)) {
    hub_.connections.insert(this);
  }
  ~HttpConnection() override {
    if (streaming_) --hub_.streams;
    hub_.connections.erase(this);
  }
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  void read_header() {
    request_ = {};
    request_held_.reset();
    plan_ = {};
    text_.reset();
    file_.reset();
    head_.emplace();
    head_->header_limit(kHeaderLimit);
    head_->body_limit(boost::none);  // decided when the header is known
    idle_ = buffer_.size() == 0;
    answering_ = false;
    begin_ = {};
    limit_time();
    http::async_read_header(stream_, buffer_, *head_, then(&HttpConnection::on_header));
  }

  void stop() override {
    if (idle_ || streaming_) close();
  }
  void pump() override;
  void beat() override;

 private:
  void on_header(error_code ec) {
    idle_ = false;
    if (ec == http::error::end_of_stream || ec == beast::error::timeout) return close();
    if (ec) return refuse_bytes(ec);
    begin_ = std::chrono::steady_clock::now();
    const auto& message = head_->get();
    request_.method = std::string(message.method_string());
    request_.target = std::string(message.target());
    for (const auto& field : message)
      request_.headers.emplace(in_small_letters(std::string(field.name_string())),
                               std::string(field.value()));
    only_head_ = request_.method == "HEAD";
    if (only_head_) request_.method = "GET";
    if (auto refusal = wrong_framing()) return last(std::move(*refusal));
    if (auto refusal = refuse(hub_.guard, request_)) return last(std::move(*refusal));
    plan_ = Handler::plan(request_);
    if (const auto length = head_->content_length(); length && *length > plan_.body_limit)
      return last(too_large());
    if (head_->is_done()) return on_request();
    begin_body();
  }

  // Refuses headers that a proxy may read differently from this server: one of the two would then
  // see two requests in one (request smuggling).
  std::optional<Response> wrong_framing() const {
    const auto& message = head_->get();
    const auto times = [&](http::field name) { return message.count(name); };
    const bool old = message.version() != 11;
    const std::string& coding = request_.header("transfer-encoding");
    for (const std::string_view name : kOnce) {
      if (message.count(name) < 2) continue;
      return problem_response(400, "Bad Request",
                              fmt::format("{} may be there once, and is there twice", name));
    }
    if (times(http::field::transfer_encoding) &&
        (old || times(http::field::content_length) || !beast::iequals(coding, "chunked")))
      return problem_response(400, "Bad Request", "Transfer-Encoding may be chunked alone");
    return std::nullopt;
  }

  Response too_large() const {
    return problem_response(413, "Content Too Large",
                            fmt::format("a body may have {} bytes here", plan_.body_limit));
  }

  void begin_body() {
    if (plan_.body_in_file) {
      const int fd = files_open() >= kMostFiles ? -1 : unnamed_file();
      if (fd < 0)
        return last(try_again(503, "Service Unavailable", "too many imports at a time", 5));
      request_.body_file = fd;
      file_.emplace(std::move(*head_));
      file_->body_limit(plan_.body_limit);
      error_code ec;
      beast::file_posix file;
      file.native_handle(fd);
      file_->get().body().reset(std::move(file), ec);
      if (ec) return last(problem_response(500, "Internal Server Error", ec.message()));
    } else {
      const std::size_t most = head_->content_length().value_or(plan_.body_limit);
      if (!hub_.can_hold(most)) return last(too_much_held());
      request_held_ = hub_.hold(most);
      text_.emplace(std::move(*head_));
      text_->body_limit(plan_.body_limit);
    }
    if (!beast::iequals(request_.header("expect"), "100-continue")) return read_body();
    response_ = {http::status::continue_, 11};
    http::async_write(stream_, response_, then(&HttpConnection::on_continue));
  }

  void on_continue(error_code ec) {
    if (!ec) read_body();
  }

  std::size_t files_open() const {
    return static_cast<std::size_t>(std::count_if(
        hub_.connections.begin(), hub_.connections.end(),
        [](Connection* c) { return static_cast<HttpConnection*>(c)->request_.body_file >= 0; }));
  }

  void read_body() {
    if (file_) return http::async_read(stream_, buffer_, *file_, then(&HttpConnection::on_body));
    http::async_read(stream_, buffer_, *text_, then(&HttpConnection::on_body));
  }

  void on_body(error_code ec) {
    if (ec == http::error::body_limit) return last(too_large());
    if (ec == beast::error::timeout) return close();
    if (ec) return refuse_bytes(ec);
    if (text_) request_.body = std::move(text_->get().body());
    on_request();
  }

  void on_request() {
    keep_ = (file_ ? file_->keep_alive() : text_ ? text_->keep_alive() : head_->keep_alive());
    if (auto ready = hub_.handler.ready(request_)) return answer(std::move(*ready));
    if (hub_.busy())
      return answer(try_again(503, "Service Unavailable", "too many requests are waiting", 1));
    stream_.expires_never();
    const auto work = Handler::work(plan_, request_);
    if (work == Handler::Work::stream) return begin_stream();
    auto done = [self = shared_from_this()](Response response) {
      self->guarded([&] { self->answer(std::move(response)); });
    };
    if (work == Handler::Work::write) return hub_.write(request_, std::move(done));
    hub_.read(request_, std::move(done));
  }

  // Answers bytes that are not valid HTTP, where an answer is possible; else closes.
  void refuse_bytes(error_code ec) {
    if (ec == http::error::header_limit) {
      return last(problem_response(431, "Request Header Fields Too Large",
                                   fmt::format("a header may have {} bytes", kHeaderLimit)));
    }
    if (ec.category() != http::make_error_code(http::error::bad_method).category()) return close();
    last(problem_response(400, "Bad Request", "this is no HTTP request: " + ec.message()));
  }

  void last(Response response) {
    keep_ = false;
    answer(std::move(response));
  }

  void answer(Response response) {
    keep_ = keep_ && !hub_.stopping;
    log(response);
    response_ = {static_cast<http::status>(response.status), 11};
    set_common_headers();
    if (!response.body.empty()) {
      response_.set(http::field::content_type, response.content_type);
      response_.set(http::field::vary, "Accept-Encoding");
    }
    if (!response.gzip.empty() && takes_gzip(request_.header("accept-encoding"))) {
      response_.set(http::field::content_encoding, "gzip");
      response.body = std::move(response.gzip);
    }
    for (const auto& [name, value] : response.headers) response_.set(name, value);
    answer_held_ = response.held ? std::move(response.held) : hub_.hold(response.body.size());
    if (response.status != 304) response_.content_length(response.body.size());
    if (!only_head_) response_.body() = std::move(response.body);
    response_.keep_alive(keep_);
    limit_time();
    answering_ = true;
    http::async_write(stream_, response_, then(&HttpConnection::on_answered));
  }

  void on_answered(error_code ec) {
    response_ = {};
    answer_held_.reset();
    if (ec || !keep_ || hub_.stopping) return finish();
    read_header();
  }

  void set_common_headers() {
    response_.set(http::field::server, "hebb");
    response_.set("X-Content-Type-Options", "nosniff");
    response_.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    response_.set("Cross-Origin-Resource-Policy", "same-origin");
    response_.set(http::field::cache_control, "no-cache");
  }

  // --- streams -----------------------------------------------------------------------------------

  void begin_stream() {
    if (hub_.streams >= hub_.options.most_streams)
      return answer(try_again(429, "Too Many Requests", "there are too many streams", 5));
    ++hub_.streams;
    streaming_ = true;
    const auto refusal = std::make_shared<Response>(failed_response());
    hub_.read([this, refusal] { source_ = hub_.stream(request_, *refusal); },
              [self = shared_from_this(), refusal] {
                self->guarded([&] {
                  if (!self->source_) return self->leave_stream(std::move(*refusal));
                  self->send_stream_header();
                });
              });
  }

  void leave_stream(Response response) {
    streaming_ = false;
    --hub_.streams;
    answer(std::move(response));
  }

  void send_stream_header() {
    Response response;
    response.operation = source_->operation();
    log(response);
    response_ = {http::status::ok, 11};
    set_common_headers();
    response_.set(http::field::content_type, "text/event-stream");
    response_.set(http::field::cache_control, "no-store");
    response_.set("X-Accel-Buffering", "no");
    response_.keep_alive(false);  // the body ends when the connection is closed
    listen();
    header_.emplace(response_);
    limit_time();
    http::async_write_header(stream_, *header_, then(&HttpConnection::on_stream_header));
  }

  void on_stream_header(error_code ec) {
    if (ec) return close();
    send("retry: 1000\n\n");
  }

  // A client sends nothing more on a stream. This read ends when it closes the connection.
  void listen() {
    stream_.expires_never();
    stream_.async_read_some(asio::buffer(ignored_), then(&HttpConnection::on_heard));
  }

  void on_heard(error_code ec) {
    if (ec) return close();
    listen();
  }

  void send(std::string text) {
    sending_ = true;
    out_ = std::move(text);
    limit_time();
    asio::async_write(stream_, asio::buffer(out_), then(&HttpConnection::on_sent));
  }

  void on_sent(error_code ec) {
    sending_ = false;
    out_ = {};
    if (ec) return close();
    ready_ = true;
    pump();
  }

  void limit_time() {
    stream_.expires_after(std::chrono::milliseconds(hub_.options.request_timeout_ms));
  }

  // After an answer on a connection that ends: what has not been read would make the kernel reset
  // it before the other end has the answer, so that is read and dropped for a moment.
  void finish() {
    error_code ignored;
    idle_ = true;
    stream_.socket().shutdown(Protocol::socket::shutdown_send, ignored);
    if (ignored || hub_.stopping) return close();
    stream_.expires_after(
        std::chrono::milliseconds(std::min(hub_.options.request_timeout_ms, kLingerMs)));
    linger();
  }
  void linger() {
    stream_.async_read_some(asio::buffer(ignored_), then(&HttpConnection::on_lingered));
  }
  void on_lingered(error_code ec) {
    if (ec) return close();
    linger();
  }

  void close() {
    error_code ignored;
    stream_.socket().shutdown(Protocol::socket::shutdown_both, ignored);
    stream_.close();
  }

  void log(const Response& response) const {
    if (!hub_.options.log || hub_.options.log_format == LogFormat::none) return;
    const bool known = begin_ != std::chrono::steady_clock::time_point{};
    const std::chrono::duration<double, std::milli> took =
        std::chrono::steady_clock::now() - begin_;
    hub_.log({{"level", response.status >= 500 ? "error" : "info"},
              {"method", only_head_ ? "HEAD" : request_.method},
              {"target", loggable(request_.target)},
              {"operation", response.operation.empty() ? "none" : response.operation},
              {"status", response.status},
              {"ms", known ? static_cast<double>(static_cast<int>(took.count() * 10)) / 10 : 0.0}});
  }

  static constexpr int kLingerMs = 1000;
  // Headers of which two would say two things.
  static constexpr std::array<std::string_view, 7> kOnce{
      "Host",   "Content-Length", "Transfer-Encoding", "Authorization",
      "Origin", "Sec-Fetch-Site", "Idempotency-Key"};

  Hub& hub_;
  SocketStream stream_;
  beast::flat_buffer buffer_{kHeaderLimit + 65536};
  std::optional<http::request_parser<http::empty_body>> head_;
  std::optional<http::request_parser<http::string_body>> text_;  // one of these two, where there
  std::optional<http::request_parser<FileBody>> file_;           // is a body
  http::response<http::string_body> response_;
  std::optional<http::response_serializer<http::string_body>> header_;
  Request request_;
  std::shared_ptr<void> request_held_, answer_held_;  // of their bodies
  Handler::Plan plan_;
  std::chrono::steady_clock::time_point begin_;
  bool idle_ = true;  // nothing of a request has come
  bool keep_ = false, only_head_ = false;
  bool answering_ = false;  // the answer is being written

  bool streaming_ = false;
  bool ready_ = false;    // the header is out
  bool sending_ = false;  // something is being made or written
  std::unique_ptr<Stream> source_;
  std::string out_;
  char ignored_[4096];
};

void HttpConnection::pump() {
  if (!streaming_ || !ready_ || sending_ || hub_.stopping) return;
  if (source_->ended()) return close();
  const auto position = hub_.handler.position();
  if (!source_->behind(position)) return;
  const auto text = std::make_shared<std::string>();
  hub_.read(
      [this, text, position] {
        try {
          *text = source_->next(position);
        } catch (...) {  // the database is busy: the next pump() tries again
        }
      },
      [self = shared_from_this(), text] {
        self->guarded([&] {
          self->sending_ = false;
          if (!text->empty()) self->send(std::move(*text));
        });
      });
  sending_ = true;
}

void HttpConnection::beat() {
  if (!streaming_ || !ready_ || sending_) return;
  send(": still here\n\n");
}

}  // namespace

void serve_connection(Hub& hub, int fd, int family) {
  Socket socket(hub.io);
  try {
    socket.assign(Protocol(family, 0), fd);
  } catch (...) {  // there is no memory or no descriptor for it
    ::close(fd);
    return;
  }
  std::make_shared<HttpConnection>(hub, std::move(socket))->read_header();
}

}  // namespace hebb::serve
