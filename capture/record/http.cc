#include "capture/record/http.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "capture/record/sink.h"
#include "secrets/names.h"

namespace hebb::capture {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kWaitingRequestBytes = std::size_t{16}
                                             << 20;  // beyond it, stop reading the client
constexpr std::size_t kLineBytes = std::size_t{256} << 20;
constexpr std::chrono::milliseconds kLeaveAfter{3000};  // after a signal, even if a thread hangs

// An event descriptor: ring() wakes a poll().
class Bell {
 public:
  Bell() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
  ~Bell() {
    if (fd_ >= 0) ::close(fd_);
  }
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;

  int fd() const { return fd_; }
  void ring() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(fd_, &one, sizeof one);
  }
  void hear() const {
    std::uint64_t count = 0;
    [[maybe_unused]] const auto got = ::read(fd_, &count, sizeof count);
  }

 private:
  int fd_;
};

// Writes whole lines to the client, from any thread, and passes them to the tap.
class Outbox {
 public:
  Outbox(int fd, LineTap& tap) : fd_(fd), sink_(sink_of(fd)), tap_(tap) {}

  bool write(std::string_view line) {
    const std::lock_guard lock(mutex_);
    while (!line.empty() && !gone_) {
      const ssize_t written = write_some(sink_, fd_, line.data(), line.size());
      if (written >= 0) {
        const auto size = static_cast<std::size_t>(written);
        tap_.seen(line.substr(0, size), stamp_now());
        line.remove_prefix(size);
      } else if (would_block(errno)) {
        pollfd ready[]{{fd_, POLLOUT, 0}, {closed_.fd(), POLLIN, 0}};
        poll(ready, 2, -1);
      } else if (errno != EINTR) {
        gone_ = true;
      }
    }
    return line.empty();
  }

  // Nothing is written afterwards, and a write that is under way gives up.
  void close() {
    gone_ = true;
    closed_.ring();
    const std::lock_guard lock(mutex_);
  }

 private:
  const int fd_;
  const Sink sink_;
  LineTap& tap_;  // not touched after close()
  Bell closed_;
  std::atomic<bool> gone_ = false;
  std::mutex mutex_;
};

// Messages from the bridge's threads to this one; those threads may outlive it.
struct News {
  Bell bell;
  std::atomic<bool> done = false, client_gone = false;
};

class HttpPump {
 public:
  HttpPump(const ClientEnds& client, const HttpServer& server, const HeldSignals& signals,
           PumpTaps taps, std::shared_ptr<LineQueue> queue,
           const std::function<void(std::string_view)>& warn)
      : client_(client),
        signals_(signals),
        tap_(taps.to_server),
        warn_(warn),
        news_(std::make_shared<News>()),
        outbox_(std::make_shared<Outbox>(client.out, taps.to_client)),
        bridge_(server.url, server.headers, bridge_client(std::move(queue))) {}

  ProcessEnd run() {
    while (!news_->done && (!deadline_ || Clock::now() < *deadline_)) step();
    outbox_->close();
    release(client_.in);
    release(client_.out);
    return end_;
  }

 private:
  HttpBridge::Client bridge_client(std::shared_ptr<LineQueue> queue) {
    return {.deliver =
                [news = news_, outbox = outbox_](const std::string& line) {
                  if (outbox->write(line)) return true;
                  news->client_gone = true;
                  news->bell.ring();
                  return false;
                },
            .session =
                [queue = std::move(queue)](std::string_view id) {
                  queue->push(ObservedLine::of_session(std::string(id)));
                },
            .warn = warn_,
            .sent = [news = news_] { news->bell.ring(); },
            .done =
                [news = news_] {
                  news->done = true;
                  news->bell.ring();
                }};
  }

  void step() {
    const bool reads = !input_ended_ && !stopping() && bridge_.bytes() < kWaitingRequestBytes;
    pollfd slots[]{{signals_.fd(), POLLIN, 0},
                   {news_->bell.fd(), POLLIN, 0},
                   {reads ? client_.in : -1, POLLIN, 0},
                   {stopping() ? -1 : client_.out, 0, 0}};
    poll(slots, 4, stopping() ? 100 : -1);
    if (slots[0].revents != 0) take_signals();
    if (slots[1].revents != 0) news_->bell.hear();
    if (slots[2].revents != 0) read_some();
    const bool gone = (slots[3].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
    if (!stopping() && (gone || news_->client_gone)) stop();
  }

  bool stopping() const { return deadline_.has_value(); }

  void stop() {
    deadline_ = Clock::now() + kLeaveAfter;
    bridge_.stop();
  }

  void take_signals() {
    signalfd_siginfo info{};
    while (read(signals_.fd(), &info, sizeof info) == sizeof info) {
      const int number = static_cast<int>(info.ssi_signo);
      if (number == SIGCHLD || end_.signal != 0) continue;
      end_ = {128 + number, number};
      if (!stopping()) stop();
    }
  }

  void read_some() {
    const ssize_t got = read(client_.in, buffer_.data(), buffer_.size());
    if (got > 0) {
      const std::string_view bytes(buffer_.data(), static_cast<std::size_t>(got));
      tap_.seen(bytes, stamp_now());
      split(bytes);
    } else if (got == 0 || (errno != EINTR && !would_block(errno))) {
      tap_.ended(stamp_now());
      end_line();
      input_ended_ = true;
      bridge_.close();
    }
  }

  void split(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      const std::string_view piece = bytes.substr(0, end);
      too_long_ = too_long_ || line_.size() + piece.size() > kLineBytes;
      if (too_long_) {
        std::string().swap(line_);  // an assignment would keep its memory
      } else {
        line_ += piece;
      }
      if (end == std::string_view::npos) return;
      end_line();
      bytes.remove_prefix(end + 1);
    }
  }

  void end_line() {
    if (std::exchange(too_long_, false)) {
      warn_(fmt::format("a line of more than {} MiB was not sent", kLineBytes >> 20));
    }
    if (!line_.empty()) bridge_.send(std::exchange(line_, {}));
  }

  const ClientEnds client_;
  const HeldSignals& signals_;
  LineTap& tap_;
  const std::function<void(std::string_view)>& warn_;
  const std::shared_ptr<News> news_;
  const std::shared_ptr<Outbox> outbox_;
  HttpBridge bridge_;
  std::vector<char> buffer_ = std::vector<char>(kReadBytes);
  std::string line_;
  bool too_long_ = false, input_ended_ = false;
  std::optional<Clock::time_point> deadline_;  // after a signal, or when the client reads no more
  ProcessEnd end_;
};

}  // namespace

std::pair<std::string, std::string> parse_http_header(std::string_view text) {
  constexpr std::array<std::string_view, 8> kOurs{
      "accept", "accept-encoding", "connection",       "content-length", "content-type",
      "host",   "last-event-id",   "transfer-encoding"};
  const std::size_t colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool is_name = !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
  if (colon == std::string_view::npos || !is_name) {
    throw std::invalid_argument("a header is written as \"Name: value\", or @FILE with such lines");
  }
  if (std::find(kOurs.begin(), kOurs.end(), lower) != kOurs.end() || lower.starts_with("mcp-")) {
    throw std::invalid_argument(fmt::format("the header {} is the protocol's own", name));
  }
  std::string_view value = text.substr(colon + 1);
  while (value.starts_with(' ') || value.starts_with('\t')) value.remove_prefix(1);
  while (value.ends_with(' ') || value.ends_with('\t') || value.ends_with('\r')) {
    value.remove_suffix(1);
  }
  if (!is_header_value(value)) {
    throw std::invalid_argument(fmt::format("the header {} has a control character", name));
  }
  return {std::string(name), std::string(value)};
}

std::vector<std::string> credentials(const HttpServer& server) {
  std::vector<std::string> found;
  for (const auto& [name, value] : server.headers) {
    if (!secrets::is_secret_name(name)) continue;
    found.push_back(value);
    const std::size_t space = value.find(' ');  // after a scheme such as Bearer
    if (space != std::string::npos) found.push_back(value.substr(space + 1));
  }
  const std::string& path = server.url.path;
  for (std::size_t at = path.find('?'); at < path.size();) {
    const std::size_t next = std::min(path.find('&', at + 1), path.size());
    const std::string_view pair = std::string_view(path).substr(at + 1, next - at - 1);
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && secrets::is_secret_name(pair.substr(0, equals))) {
      found.emplace_back(pair.substr(equals + 1));
    }
    at = next;
  }
  return found;
}

ProcessEnd pump_http(const ClientEnds& client, const HttpServer& server, const HeldSignals& signals,
                     PumpTaps taps, std::shared_ptr<LineQueue> queue,
                     const std::function<void(std::string_view)>& warn) {
  return HttpPump(client, server, signals, taps, std::move(queue), warn).run();
}

}  // namespace hebb::capture
