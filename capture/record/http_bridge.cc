#include "capture/record/http_bridge.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "capture/ascii.h"
#include "capture/record/mcp_http.h"
#include "capture/record/thrown.h"

namespace hebb::capture {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kAtOnce = 512;               // the most requests that wait for their answers
constexpr std::chrono::seconds kNoticeWithin{30};  // the 202 to a notification
constexpr std::chrono::seconds kGoodbyeWithin{2};
constexpr std::chrono::seconds kForEver{0};
constexpr int kAttempts = 5;  // to resume a stream, while nothing new comes
constexpr milliseconds kLongestPause{30'000};
constexpr int kWarnings = 10;

// Replaces line ends in the message by spaces.
std::string one_line(std::string message) {
  std::replace_if(
      message.begin(), message.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  message += '\n';
  return message;
}

}  // namespace

class HttpBridge::Work : public std::enable_shared_from_this<HttpBridge::Work> {
 public:
  Work(HttpUrl url, HttpHeaders headers, Client client)
      : client_(std::move(client)),
        http_(std::move(url), std::move(headers),
              {[this](std::string message) { return deliver(std::move(message)); },
               client_.session}) {}

  void send(std::string line) {
    const std::lock_guard lock(mutex_);
    bytes_ += line.size();
    lines_.push_back(std::move(line));
    changed_.notify_all();
  }
  std::size_t bytes() const { return bytes_; }
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  void stop() {
    const std::lock_guard lock(mutex_);
    stop_all();
  }

  // The sender's thread: sends one line after the other, then ends the session.
  void run() noexcept {
    try {
      while (auto line = next()) {
        const std::size_t size = line->size();
        carry(std::move(*line));
        bytes_ -= size;
        client_.sent();
      }
      wait_for_answers();
      {
        const std::lock_guard lock(mutex_);
        stop_all();
      }
      http_.end_session(kGoodbyeWithin);
    } catch (...) {
      warn(what_was_thrown());
    }
    client_.done();
  }

 private:
  // A POST. Guarded by mutex_, except for the const message and `call`.
  struct Exchange {
    explicit Exchange(Outgoing m) : message(std::move(m)), unanswered(message.requests) {}
    const Outgoing message;
    std::vector<AskedRequest> unanswered;
    HttpPeer::Call call;
    bool sent = false, over = false;
  };
  using ExchangePtr = std::shared_ptr<Exchange>;

  std::optional<std::string> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || closed_ || !lines_.empty(); });
    if (stopped_ || lines_.empty()) return std::nullopt;
    std::string line = std::move(lines_.front());
    lines_.pop_front();
    return line;
  }

  // A line that fails does not hold up the next one.
  void carry(std::string line) {
    try {
      handle(outgoing(std::move(line)));
    } catch (...) {
      warn(what_was_thrown());
    }
  }

  void handle(Outgoing message) {
    if (is_blank(message.line)) return;
    if (!message.cancels.empty() && take_back(message)) return;
    const auto exchange = std::make_shared<Exchange>(std::move(message));
    const bool first = exchange->message.method == "initialize";
    if (first) forget_session();
    if (!exchange->message.stateless() && http_.expired()) {
      return fail(*exchange, "the server has ended the session; send initialize to begin another");
    }
    std::unique_lock lock(mutex_);
    if (stopped_) return;
    if (open_.size() >= kAtOnce && !exchange->unanswered.empty()) {
      lock.unlock();
      return fail(*exchange, fmt::format("{} requests wait for their answers already", kAtOnce));
    }
    open_.push_back(exchange);
    lock.unlock();
    // A notification must have arrived before the next line is sent, so wait for it here.
    if (exchange->unanswered.empty()) return whole(exchange, [&] { notify(exchange); });
    try {
      std::thread([self = shared_from_this(), exchange] {
        self->whole(exchange, [&] { self->ask(exchange); });
      }).detach();
    } catch (...) {  // no thread can be started
      return whole(exchange, [] { throw; });
    }
    // Requests are sent in the order of their lines. After initialize wait for the answer, because
    // the next line needs the session and version in it.
    lock.lock();
    changed_.wait(lock, [&] { return stopped_ || exchange->over || (exchange->sent && !first); });
  }

  // Does an exchange to its end. If that throws, its requests are answered with an error.
  template <class Do>
  void whole(const ExchangePtr& exchange, const Do& work) noexcept {
    try {
      work();
    } catch (...) {
      const char* what = what_was_thrown();
      warn(what);
      try {
        fail(*exchange, what);
      } catch (...) {  // there is no memory for the answer
      }
    }
    end(exchange);
  }

  // In the stateless era a request is cancelled by closing its stream; true: done. False: this is
  // the era with a handshake, so send the message. The server then need not answer the request.
  bool take_back(const Outgoing& message) {
    const std::lock_guard lock(mutex_);
    for (const ExchangePtr& one : open_) {
      const auto meant =
          std::find_if(one->unanswered.begin(), one->unanswered.end(),
                       [&](const AskedRequest& request) { return request.key == message.cancels; });
      if (meant == one->unanswered.end()) continue;
      meant->taken_back = true;
      if (!one->message.stateless()) continue;
      one->unanswered.clear();  // the client wants no answer
      one->call.stop();
      return true;
    }
    return message.stateless();
  }

  void forget_session() {
    http_.forget_session();
    const std::lock_guard lock(mutex_);
    if (stream_) stream_->stop();
    stream_.reset();
  }

  void notify(const ExchangePtr& exchange) {
    const HttpAnswer answer = http_.post(exchange->message, exchange->call, kNoticeWithin, {});
    if (answer.refused()) refused(exchange->message.stateless(), answer);
    if (exchange->call.stopped()) {
      // The recording is over, so there is nobody to warn.
    } else if (answer.refused() || !answer.failure.empty()) {
      warn(fmt::format("a message was not delivered: {}",
                       answer.refused() ? http_.describe(answer) : answer.failure));
    } else {
      if (answer.has_message()) deliver(answer.body);
      if (exchange->message.method == "notifications/initialized") begin_stream();
    }
  }

  // Runs in a thread of its own: sends a request and waits for its answer.
  void ask(const ExchangePtr& exchange) {
    HttpAnswer answer = http_.post(exchange->message, exchange->call, kForEver, [&] {
      const std::lock_guard lock(mutex_);
      exchange->sent = true;
      changed_.notify_all();
    });
    const bool has_message = answer.has_message();
    if (has_message && answer.ok()) deliver(answer.body);
    if (answer.events && !exchange->message.stateless()) go_on(*exchange, answer);
    if (answer.refused()) {
      refused(exchange->message.stateless(), answer);
      fail(*exchange, http_.describe(answer), answer.head.status, answer.body);
    } else if (!answer.failure.empty()) {
      fail(*exchange, answer.failure);
    } else if (answer.ok() && !answer.events && !has_message) {
      fail(*exchange, http_.describe(answer), answer.head.status);
    } else {
      fail(*exchange, "what the server answered is no answer to this request");
    }
  }

  bool deliver(std::string message) {
    const std::vector<std::string> keys = answers(message);
    const auto meant = [&](const AskedRequest& request) {
      return std::find(keys.begin(), keys.end(), request.key) != keys.end();
    };
    {
      const std::lock_guard lock(mutex_);
      if (stopped_) return false;
      for (const ExchangePtr& one : open_) {
        for (const AskedRequest& request : one->unanswered) {
          if (meant(request)) http_.learn(request.method, one->message.stateless(), message);
        }
      }
    }
    if (!client_.deliver(one_line(std::move(message)))) return false;
    const std::lock_guard lock(mutex_);
    for (const ExchangePtr& one : open_) std::erase_if(one->unanswered, meant);
    changed_.notify_all();
    return true;
  }

  // Answers the open requests in the server's place, with the error in `body` if there is one.
  void fail(Exchange& exchange, std::string_view why, int status = 0, std::string_view body = {}) {
    std::vector<AskedRequest> left;
    {
      const std::lock_guard lock(mutex_);
      if (!stopped_) left = exchange.unanswered;
    }
    for (const AskedRequest& request : left) {
      std::string answer = error_answer_from(request, body);
      if (answer.empty()) answer = error_answer(request.id, why, status);
      client_.deliver(one_line(std::move(answer)));
    }
    const std::lock_guard lock(mutex_);  // the end waits until they are delivered
    exchange.unanswered.clear();
    changed_.notify_all();
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
    std::erase(open_, exchange);
    changed_.notify_all();
  }

  // --- streams (2025-03-26 … 2025-11-25) ---------------------------------------------------------

  // Waits for `time`; false: the recording or the call was stopped meanwhile.
  bool pause(milliseconds time, const HttpPeer::Call& call) {
    std::unique_lock lock(mutex_);
    return !changed_.wait_for(lock, time, [&] { return stopped_ || call.stopped(); });
  }

  // Resumes a stream that was cut before all its answers came.
  void go_on(Exchange& exchange, HttpAnswer& answer) {
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
    std::thread([self = shared_from_this(), call = stream_] { self->follow(*call); }).detach();
  }

  // Runs in a thread of its own: receives the server's own messages as long as there is a session.
  void follow(HttpPeer::Call& call) noexcept {
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
      warn(what_was_thrown());
    }
  }

  // --- the end -----------------------------------------------------------------------------------

  void wait_for_answers() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      return stopped_ || std::all_of(open_.begin(), open_.end(), [](const ExchangePtr& one) {
               return one->message.method == "subscriptions/listen" ||
                      std::all_of(one->unanswered.begin(), one->unanswered.end(),
                                  [](const AskedRequest& request) { return request.taken_back; });
             });
    });
  }

  void stop_all() {  // under mutex_
    stopped_ = true;
    for (const ExchangePtr& one : open_) one->call.stop();
    if (stream_) stream_->stop();
    changed_.notify_all();
  }

  void warn(std::string_view what) noexcept {
    try {
      if (warned_++ < kWarnings) client_.warn(what);
    } catch (...) {  // the traffic goes on
    }
  }

  const Client client_;
  McpHttp http_;
  std::atomic<std::size_t> bytes_ = 0;
  std::atomic<int> warned_ = 0;

  std::mutex mutex_;  // guards the members below
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  bool closed_ = false, stopped_ = false;
  std::vector<ExchangePtr> open_;
  std::shared_ptr<HttpPeer::Call> stream_;  // the GET
};

HttpBridge::HttpBridge(HttpUrl url, HttpHeaders headers, Client client)
    : work_(std::make_shared<Work>(std::move(url), std::move(headers), std::move(client))) {
  std::thread([work = work_] { work->run(); }).detach();
}
HttpBridge::~HttpBridge() = default;

void HttpBridge::send(std::string line) { work_->send(std::move(line)); }
std::size_t HttpBridge::bytes() const { return work_->bytes(); }
void HttpBridge::close() { work_->close(); }
void HttpBridge::stop() { work_->stop(); }

}  // namespace hebb::capture
