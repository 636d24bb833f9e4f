#include "capture/relay.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>
#include <exception>
#include <future>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

namespace hebb::capture {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kReadBytes = std::size_t{256} << 10;  // fits into the second-level cache
// An interrupt may come just before its thread waits, so it is repeated.
constexpr int kInterruptAgainMs = 1000;
constexpr milliseconds kLastOutputWithin{2000};  // after a stop, until the reader is cut off

}  // namespace

struct Relay::Descriptors {
  // An event by which the threads wake run().
  int end_event = require(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd");
  int null = -1;

  Descriptors() {
    null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) close(end_event);
    require(null, "/dev/null");
  }
  ~Descriptors() {
    close(end_event);
    close(null);
  }

  static int require(int fd, const char* what) {
    if (fd < 0) throw std::system_error(errno, std::generic_category(), what);
    return fd;
  }
};

// One direction and its thread.
class Relay::Flow {
 public:
  struct Ends {
    int in = -1, out = -1;
  };
  // end_event: an event descriptor; the thread adds to it when the direction has ended.
  Flow(Pass pass, int end_event)
      : pass_(std::move(pass)), end_event_(end_event), thread_([this] { run(); }) {}
  // Precondition: over(), or begin() was not called.
  ~Flow() {
    if (ends_.in < 0) begin_.set_value();
    thread_.join();
  }
  Flow(const Flow&) = delete;
  Flow& operator=(const Flow&) = delete;

  void begin(Ends ends) {
    ends_ = ends;
    begin_.set_value();
  }
  bool over() const { return end_ != FlowEnd::open; }

  // Stops the direction: it passes on at most so many more bytes, if its reader takes them until
  // then.
  void stop(std::size_t still_passed, Clock::time_point until) {
    still_passed_ = still_passed;
    until_ = until;
    stopping_ = true;
  }
  // Interrupts the system call in which the thread waits, if it waits already.
  void interrupt() { pthread_kill(thread_.native_handle(), interrupting_signal()); }

  const Ends& ends() const { return ends_; }
  FlowEnd end() const { return end_; }
  // After over() is true:
  int error() const { return error_; }
  const std::exception_ptr& exception() const { return exception_; }
  bool input_ended() const { return is(FlowEnd::input_ended) || is(FlowEnd::read_failed); }
  bool output_ended() const { return is(FlowEnd::reader_gone) || is(FlowEnd::write_failed); }

  bool closed = false;  // the relay has closed its ends

 private:
  bool is(FlowEnd end) const { return end_ == end; }

  void run() {
    sigset_t interrupt;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, interrupting_signal());
    pthread_sigmask(SIG_UNBLOCK, &interrupt, nullptr);
    begin_.get_future().wait();
    if (ends_.in < 0) return;
    watched_out_ = ends_.out;
    try {
      move_all();
    } catch (...) {
      exception_ = std::current_exception();
      ending_ = FlowEnd::stopped;
    }
    end_ = ending_;
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = write(end_event_, &one, sizeof one);
  }

  void move_all() {
    const auto buffer = std::make_unique_for_overwrite<char[]>(kReadBytes);
    const Write write = [this](std::span<const std::string_view> bytes) {
      return write_all(bytes);
    };
    while (ending_ == FlowEnd::open) {
      if (!wait_for_input()) continue;
      const ssize_t got = read(ends_.in, buffer.get(), kReadBytes);
      if (got > 0) {
        if (stopping_) still_passed_ -= std::min(still_passed_, static_cast<std::size_t>(got));
        pass_({buffer.get(), static_cast<std::size_t>(got)}, write);
      } else if (got == 0) {
        ending_ = FlowEnd::input_ended;
      } else if (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK) {
        fail(FlowEnd::read_failed);
      }
    }
    const bool can_write = ending_ != FlowEnd::reader_gone && ending_ != FlowEnd::write_failed &&
                           ending_ != FlowEnd::cut_off;
    if (can_write) pass_({}, write);
  }

  // False: poll again, or the direction has ended.
  bool wait_for_input() {
    if (stopping_ && still_passed_ == 0) {
      ending_ = FlowEnd::stopped;
      return false;
    }
    const bool stopping = stopping_;
    // With no events, poll() reports errors and hang-ups alone.
    pollfd slots[]{{ends_.in, POLLIN, 0}, {watched_out_, 0, 0}};
    const int ready = poll(slots, 2, stopping ? 0 : -1);
    if (ready < 0) return false;
    if ((slots[1].revents & POLLNVAL) != 0) watched_out_ = -1;  // closed: the next write fails
    if ((slots[1].revents & (POLLERR | POLLHUP)) != 0) {        // POLLERR: pipes, POLLHUP: sockets
      ending_ = FlowEnd::reader_gone;
      return false;
    }
    if (ready == 0 && stopping) ending_ = FlowEnd::stopped;
    return slots[0].revents != 0;
  }

  bool write_all(std::span<const std::string_view> bytes) {
    rest_.clear();
    for (const std::string_view span : bytes)
      rest_.push_back({const_cast<char*>(span.data()), span.size()});
    for (std::size_t at = 0; at < rest_.size();) {
      const bool stopping = stopping_;
      if (stopping && !wait_for_reader()) {
        ending_ = FlowEnd::cut_off;
        return false;
      }
      const auto count = std::min<std::size_t>(rest_.size() - at, IOV_MAX);
      // While it stops, no more than a pipe takes without blocking.
      const iovec few{rest_[at].iov_base, std::min<std::size_t>(rest_[at].iov_len, PIPE_BUF)};
      ssize_t written = stopping ? writev(ends_.out, &few, 1)
                                 : writev(ends_.out, rest_.data() + at, static_cast<int>(count));
      if (written < 0) {
        if (!may_write_again()) return false;
        continue;
      }
      for (; at < rest_.size() && written >= static_cast<ssize_t>(rest_[at].iov_len); ++at)
        written -= static_cast<ssize_t>(rest_[at].iov_len);
      if (written == 0) continue;
      rest_[at].iov_base = static_cast<char*>(rest_[at].iov_base) + written;
      rest_[at].iov_len -= static_cast<std::size_t>(written);
    }
    return true;
  }

  // Waits until the output can be written or has failed; false: not in time.
  bool wait_for_reader() {
    pollfd ready{ends_.out, POLLOUT, 0};
    for (;;) {  // interrupts come meanwhile
      const auto left = std::chrono::ceil<milliseconds>(until_ - Clock::now()).count();
      if (poll(&ready, 1, static_cast<int>(std::max<std::int64_t>(left, 0))) > 0) return true;
      if (left <= 0) return false;
    }
  }

  // After a write that failed, with its errno.
  bool may_write_again() {
    pollfd ready{ends_.out, POLLOUT, 0};
    if ((errno == EAGAIN || errno == EWOULDBLOCK) && poll(&ready, 1, -1) >= 0) return true;
    if (errno == EINTR) return true;
    fail(errno == EPIPE ? FlowEnd::reader_gone : FlowEnd::write_failed);
    return false;
  }

  void fail(FlowEnd end) {
    error_ = errno;
    ending_ = end;
  }

  const Pass pass_;
  const int end_event_;
  std::promise<void> begin_;
  Ends ends_;
  std::atomic<bool> stopping_ = false;
  std::size_t still_passed_ = 0;    // once stopping_ is set, of the thread alone
  Clock::time_point until_;         // likewise
  FlowEnd ending_ = FlowEnd::open;  // of the thread alone
  int error_ = 0;
  std::exception_ptr exception_;
  std::vector<iovec> rest_;
  int watched_out_ = -1;
  std::atomic<FlowEnd> end_ = FlowEnd::open;
  std::thread thread_;
};

Relay::Relay(const HeldSignals& signals, Pass to_other, Pass from_other)
    : signals_(signals), fds_(std::make_unique<Descriptors>()) {
  if (to_other) up_ = std::make_unique<Flow>(std::move(to_other), fds_->end_event);
  if (from_other) down_ = std::make_unique<Flow>(std::move(from_other), fds_->end_event);
}

Relay::~Relay() {
  for (Flow* flow : {up_.get(), down_.get()}) {
    if (flow != nullptr && flow->ends().in >= 0) end_flow(*flow, 0, Clock::now());
  }
}

void Relay::end_flow(Flow& flow, std::size_t still_passed, Clock::time_point until) {
  flow.stop(still_passed, until);
  while (!flow.over()) {
    flow.interrupt();
    pollfd ended_flow{fds_->end_event, POLLIN, 0};
    poll(&ended_flow, 1, kInterruptAgainMs);
    clear_ended();
  }
}

void Relay::clear_ended() const {
  std::uint64_t count = 0;
  [[maybe_unused]] const auto got = read(fds_->end_event, &count, sizeof count);
}

void Relay::release(int fd) const { dup2(fds_->null, fd); }

Relay::Result Relay::run(OtherSide& other, int in, int out) {
  Result result;
  if (up_) up_->begin({in, other.in()});
  down_->begin({other.out(), out});
  const auto close_ended = [&] {
    const auto first = [&](bool own, First side) {
      if (own && result.first == First::none) result.first = side;
    };
    first((up_ && up_->input_ended()) || down_->output_ended(), First::own);
    first((up_ && up_->output_ended()) || down_->input_ended(), First::other);
    if (up_ && up_->over() && !std::exchange(up_->closed, true)) {
      other.close_in();
      release(in);
    }
    if (down_->over() && !std::exchange(down_->closed, true)) {
      other.close_out();
      release(out);
    }
  };
  while (!(other.ended() && (down_->over() || result.signal != 0))) {
    pollfd slots[]{
        {signals_.fd(), POLLIN, 0}, {fds_->end_event, POLLIN, 0}, {other.end_fd(), POLLIN, 0}};
    poll(slots, 3, other.look_within_ms());
    clear_ended();
    while (const auto signal = signals_.next()) {
      if (other.signal(*signal) && result.signal == 0) result.signal = signal->number;
    }
    close_ended();
  }
  if (up_) end_flow(*up_, 0, Clock::now());
  end_flow(*down_, kPipeBytes, Clock::now() + kLastOutputWithin);
  close_ended();
  for (const Flow* flow : {up_.get(), down_.get()}) {
    if (flow != nullptr && flow->exception()) std::rethrow_exception(flow->exception());
  }
  result.output = down_->end();
  result.error = down_->error();
  return result;
}

}  // namespace hebb::capture
