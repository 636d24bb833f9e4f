#include "capture/record/http_bridge.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include "capture/record/client_socket.h"
#include "capture/record/exception_text.h"
#include "capture/record/exchanges.h"
#include "capture/record/mcp_http.h"
#include "text/ascii.h"

namespace hebb::capture {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::seconds kNoticeWithin{30};  // the 202 to a notification
constexpr std::chrono::seconds kDeleteWithin{2};
constexpr std::chrono::seconds kNoLimit{0};
constexpr int kAttempts = 5;  // to resume a stream without new messages
constexpr milliseconds kLongestPause{30'000};
constexpr int kWarnings = 10;
constexpr milliseconds kLeaveAfter{3000};  // after a stop, even if a thread hangs

}  // namespace

class HttpBridge::Work : public std::enable_shared_from_this<HttpBridge::Work> {
 public:
  Work(int socket, HttpUrl url, HttpHeaders headers, Events events, BridgeLimits limits)
      : client_(socket),
        events_(std::move(events)),
        limits_(limits),
        http_(std::move(url), std::move(headers),
              {[this](std::string message) { return deliver(server_message(std::move(message))); },
               [this](std::string_view id) {
                 if (const Calling calling(*this); calling.allowed()) events_.session(id);
               }}) {}

  bool ended() const { return ended_; }
  void leave() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  void stop() {
    const std::lock_guard lock(mutex_);
    stop_all();
  }

  // The sender's thread: sends one line after the other, then ends the session.
  void run() noexcept {
    try {
      constexpr std::size_t kMiB = ClientSocket::kLineBytes >> 20;
      const auto too_long = [&] { warn(fmt::format("a line of over {} MiB was not sent", kMiB)); };
      while (auto line = client_.read_line(too_long)) send_line(std::move(*line));
      stop_after_answers();
      http_.end_session(kDeleteWithin);
    } catch (...) {
      warn(exception_text());
    }
    stop();
    {
      std::unique_lock lock(mutex_);
      closed_ = true;
      changed_.wait(lock, [&] { return calling_ == 0; });
    }
    ended_ = true;
    client_.end();
  }

 private:
  // The scope of a thread's call of the client or the recorder: the end waits for it, and allows no
  // later one.
  class Calling {
   public:
    explicit Calling(Work& work) : work_(work) {
      const std::lock_guard lock(work_.mutex_);
      allowed_ = !work_.closed_;
      if (allowed_) ++work_.calling_;
    }
    ~Calling() {
      const std::lock_guard lock(work_.mutex_);
      if (allowed_) --work_.calling_;
      work_.changed_.notify_all();
    }
    Calling(const Calling&) = delete;
    Calling& operator=(const Calling&) = delete;
    bool allowed() const { return allowed_; }

   private:
    Work& work_;
    bool allowed_ = false;
  };

  // Sends a line; an error does not affect the next one.
  void send_line(std::string line) {
    try {
      handle(client_message(std::move(line)));
    } catch (...) {
      warn(exception_text());
    }
  }

  // Begins the line's exchange in a new thread, and waits until the next line may be sent.
  void handle(ClientMessage message) {
    if (is_blank(message.line)) return;
    if (!message.cancels.empty()) {
      const std::lock_guard lock(mutex_);
      if (open_.cancel(message)) return;  // the closed exchange cancels it
    }
    const auto exchange = std::make_shared<Exchange>(std::move(message));
    if (exchange->message.method == "initialize") forget_session();
    if (!exchange->message.stateless() && http_.expired()) {
      return fail(*exchange, "the server has ended the session; send initialize to begin another");
    }
    std::unique_lock lock(mutex_);
    if (stopped_) return;
    const std::string refusal = open_.add(exchange, limits_.at_once, limits_.unsent_bytes);
    lock.unlock();
    if (!refusal.empty()) return not_sent(*exchange, refusal);
    try {
      std::thread([self = shared_from_this(), exchange] { self->run_exchange(exchange); }).detach();
    } catch (...) {  // no thread can be started
      fail_by_exception(*exchange);
      return end(exchange);
    }
    lock.lock();
    wait_until_arrived(lock, *exchange);
  }

  // The protocol requires the answer to initialize first, because later messages need its session
  // and version, and the 202 to the notification `initialized` before the requests. All other lines
  // arrive in order: a request when it was sent, a notification when it was accepted. If the server
  // is too slow, the next line overtakes.
  void wait_until_arrived(std::unique_lock<std::mutex>& lock, const Exchange& exchange) {
    const std::string& method = exchange.message.method;
    if (method == "initialize") {
      wait_for_server(lock, [&] { return exchange.over || exchange.unanswered.empty(); });
      return;
    }
    const bool must = method == "notifications/initialized";
    changed_.wait_for(lock, must ? milliseconds(kNoticeWithin) : limits_.order, [&] {
      return stopped_ || exchange.over || (exchange.asks() && exchange.unsent == 0);
    });
  }

  // Waits until `done`, or until the server has sent nothing for `limits_.silence`.
  template <class Done>
  void wait_for_server(std::unique_lock<std::mutex>& lock, const Done& done) {
    const auto ended = [&] { return stopped_ || done(); };
    for (auto before = delivered_; !ended(); before = delivered_) {
      const auto more = [&] { return ended() || before != delivered_; };
      if (!changed_.wait_for(lock, limits_.silence, more)) return;
    }
  }

  void run_exchange(const ExchangePtr& exchange) noexcept {
    try {
      exchange->asks() ? ask(*exchange) : notify(*exchange);
    } catch (...) {
      fail_by_exception(*exchange);
    }
    end(exchange);
  }

  // Call it within a catch (...).
  void fail_by_exception(Exchange& exchange) noexcept {
    const char* what = exception_text();
    warn(what);
    try {
      fail(exchange, what);
    } catch (...) {  // no memory for the answer
    }
  }

  void forget_session() {
    http_.forget_session();
    const std::lock_guard lock(mutex_);
    if (stream_) stream_->stop();
    stream_.reset();
  }

  HttpAnswer post(Exchange& exchange, std::chrono::seconds within) {
    return http_.post(exchange.message, exchange.call, within, [&] {
      std::string().swap(exchange.message.line);  // an assignment would keep its memory
      std::string().swap(exchange.message.arguments);
      const std::lock_guard lock(mutex_);
      exchange.unsent = 0;
      changed_.notify_all();
    });
  }

  void notify(Exchange& exchange) {
    const HttpAnswer answer = post(exchange, kNoticeWithin);
    if (answer.refused()) refused(exchange.message.stateless(), answer);
    if (exchange.call.stopped()) {
      // The recording is over, so there is no one to warn.
    } else if (answer.refused() || !answer.failure.empty()) {
      not_sent(exchange, answer.refused() ? http_.describe(answer) : answer.failure);
    } else {
      if (answer.has_message()) deliver(server_message(answer.body));
      if (exchange.message.method == "notifications/initialized") begin_stream();
    }
  }

  // Sends requests and waits for their answers.
  void ask(Exchange& exchange) {
    HttpAnswer answer = post(exchange, kNoLimit);
    const bool has_message = answer.has_message();
    if (has_message && answer.ok()) deliver(server_message(answer.body));
    if (answer.events && !exchange.message.stateless()) resume(exchange, answer);
    if (answer.refused()) {
      refused(exchange.message.stateless(), answer);
      fail(exchange, http_.describe(answer), answer.head.status, answer.body);
    } else if (!answer.failure.empty()) {
      fail(exchange, answer.failure);
    } else if (answer.ok() && !answer.events && !has_message) {
      fail(exchange, http_.describe(answer), answer.head.status);
    } else {
      fail(exchange, "what the server answered is no answer to this request");
    }
  }

  // Passes a message of the server to the client; false: stop reading. Drops an answer to a request
  // that another thread answers, such as by fail().
  bool deliver(ServerMessage message) {
    const Calling calling(*this);
    {
      const std::lock_guard lock(mutex_);
      if (stopped_) return false;
      const auto requests = open_.unanswered(message.answers);
      const auto answering = [](const auto& one) { return one.request->answering; };
      if (std::any_of(requests.begin(), requests.end(), answering)) return true;
      for (const auto& [request, stateless] : requests) {
        http_.learn(request->method, stateless, message);
      }
      for (const auto& one : requests) one.request->answering = true;
    }
    const bool written = client_.write_line(message.line);
    const std::lock_guard lock(mutex_);
    for (const ExchangePtr& one : open_) {
      for (const std::string& key : message.answers) one->settle(key, written);
    }
    if (written) ++delivered_;
    changed_.notify_all();
    return written;
  }

  // Answers the open requests in the server's place, with the error in `body` if there is one.
  void fail(Exchange& exchange, std::string_view why, int status = 0, std::string_view body = {}) {
    const Calling calling(*this);
    while (const auto request = next_to_fail(exchange)) {
      std::string answer = error_answer_from(*request, body);
      if (answer.empty()) answer = error_answer(request->id, why, status);
      client_.write_line(one_line(std::move(answer)));
      const std::lock_guard lock(mutex_);
      exchange.settle(request->key, true);  // a client that is gone needs no answer
      changed_.notify_all();
    }
  }

  std::optional<ClientRequest> next_to_fail(Exchange& exchange) {
    const std::lock_guard lock(mutex_);
    ClientRequest* const next = stopped_ ? nullptr : exchange.next_unanswered();
    if (next == nullptr) return std::nullopt;
    std::optional<ClientRequest> request = *next;
    next->answering = true;
    return request;
  }

  void not_sent(Exchange& exchange, std::string_view why) {
    if (exchange.asks()) return fail(exchange, why);
    warn(fmt::format("a message was not delivered: {}", why));
  }

  void refused(bool stateless, const HttpAnswer& answer) {
    if (stateless) return;
    http_.note_refusal(answer);
    const std::lock_guard lock(mutex_);
    if (http_.expired() && stream_) stream_->stop();
  }

  void end(const ExchangePtr& exchange) {
    const std::lock_guard lock(mutex_);
    exchange->over = true;
    open_.remove(exchange);
    changed_.notify_all();
  }

  // Waits for `time`; false: the recording or the call was stopped meanwhile.
  bool pause(milliseconds time, const HttpPeer::Call& call) {
    std::unique_lock lock(mutex_);
    return !changed_.wait_for(lock, time, [&] { return stopped_ || call.stopped(); });
  }

  // Resumes a stream that was cut before all its answers came.
  void resume(Exchange& exchange, HttpAnswer& answer) {
    StreamPlace place;
    place.take(*answer.events);
    for (int attempt = 0; attempt < kAttempts && !place.last_id.empty(); ++attempt) {
      {
        const std::lock_guard lock(mutex_);
        if (exchange.unanswered.empty()) return;
      }
      if (!pause(place.retry, exchange.call)) return;
      const std::string before = place.last_id;
      answer = http_.listen(exchange.call, place);
      if (answer.refused()) return;
      if (place.last_id != before) attempt = -1;
    }
  }

  void begin_stream() {
    const std::lock_guard lock(mutex_);
    if (stopped_ || stream_) return;
    stream_ = std::make_shared<HttpPeer::Call>();
    std::thread([self = shared_from_this(), call = stream_] { self->read_stream(*call); }).detach();
  }

  // Runs in its own thread: receives the server's messages on a GET stream during a session.
  void read_stream(HttpPeer::Call& call) noexcept {
    try {
      StreamPlace place;
      milliseconds wait = place.retry;
      while (!call.stopped()) {
        const HttpAnswer answer = http_.listen(call, place);
        if (call.stopped()) return;
        if (answer.refused()) {
          refused(false, answer);
          const bool has_none = answer.head.status == 405;
          if (!has_none) {
            warn(fmt::format("what the server says unasked is not heard: {}",
                             http_.describe(answer)));
          }
          return;
        }
        wait = answer.ok() ? place.retry : std::min(wait * 2, kLongestPause);
        if (!pause(wait, call)) return;
      }
    } catch (...) {
      warn(exception_text());
    }
  }

  // Waits for the open answers within the limit, stops the exchanges, and answers the open requests
  // in the server's place. The exchanges' threads may go on for a while; since `stopped_` is set
  // together with taking the open requests, they cannot answer these, too.
  void stop_after_answers() {
    std::vector<ClientRequest> left;
    {
      std::unique_lock lock(mutex_);
      wait_for_server(lock, [&] { return open_.awaited().empty(); });
      if (!stopped_) left = open_.take_awaited();
      stop_all();
    }
    const std::string why = fmt::format("the client closed, and no answer came within {:g} s",
                                        std::chrono::duration<double>(limits_.silence).count());
    for (const ClientRequest& request : left) {
      client_.write_line(one_line(error_answer(request.id, why, 0)));
    }
  }

  void stop_all() {  // needs mutex_
    stopped_ = true;
    open_.stop_all();
    if (stream_) stream_->stop();
    client_.end_reading();
    changed_.notify_all();
  }

  void warn(std::string_view what) noexcept {
    try {
      const Calling calling(*this);
      if (calling.allowed() && warned_++ < kWarnings) events_.warn(what);
    } catch (...) {  // the traffic must go on
    }
  }

  ClientSocket client_;
  const Events events_;
  const BridgeLimits limits_;
  McpHttp http_;
  std::atomic<int> warned_ = 0;
  std::atomic<bool> ended_ = false;

  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  bool stopped_ = false, closed_ = false;
  std::size_t calling_ = 0;  // number of Calling objects
  Exchanges open_;
  std::uint64_t delivered_ = 0;             // messages delivered to the client
  std::shared_ptr<HttpPeer::Call> stream_;  // the exchange of the GET stream
};

HttpBridge::HttpBridge(HttpUrl url, HttpHeaders headers, Events events, BridgeLimits limits) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::system_error(errno, std::generic_category(), "socketpair");
  socket_ = ends[0];
  work_ = std::make_shared<Work>(ends[1], std::move(url), std::move(headers), std::move(events),
                                 limits);
  std::thread([work = work_] { work->run(); }).detach();
}

HttpBridge::~HttpBridge() { ::close(socket_); }

bool HttpBridge::ended() {
  if (work_->ended()) return true;
  if (!leave_at_ || std::chrono::steady_clock::now() < *leave_at_) return false;
  work_->leave();
  shutdown(socket_, SHUT_RDWR);
  return true;
}

int HttpBridge::look_within_ms() const { return leave_at_ ? 100 : -1; }

bool HttpBridge::signal(const ArrivedSignal& signal) {
  if (signal.number == SIGWINCH || signal.number == SIGCONT) return false;
  if (end_.signal == 0) end_ = {128 + signal.number, signal.number};
  stop();
  return true;
}

void HttpBridge::stop() {
  if (!leave_at_) leave_at_ = std::chrono::steady_clock::now() + kLeaveAfter;
  work_->stop();
}

void HttpBridge::close_in() { shutdown(socket_, SHUT_WR); }

void HttpBridge::close_out() {
  if (!work_->ended()) stop();
}

}  // namespace hebb::capture
