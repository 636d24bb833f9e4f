#include "capture/record/pump.h"

#include <algorithm>
#include <cerrno>
#include <memory>

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "capture/record/sink.h"

namespace hebb::capture {
namespace {

// Moves bytes one way. It does not close descriptors; the owner does.
class Channel {
 public:
  Channel(LineTap& tap, Sink sink)
      : tap_(tap), sink_(sink), buffer_(std::make_unique<char[]>(kReadBytes)) {}

  bool wants_input() const { return !input_ended_ && !output_gone_ && from_ == to_; }
  bool wants_output() const { return !output_gone_ && from_ < to_; }
  // All that came in has gone out, and nothing more will come.
  bool drained() const { return output_gone_ || (input_ended_ && from_ == to_); }
  bool input_ended() const { return input_ended_; }
  bool output_gone() const { return output_gone_; }

  void lose_output() { output_gone_ = true; }

  // Reads what is there and writes it on at once.
  void read_from(int in, int out) {
    const ssize_t got = ::read(in, buffer_.get(), kReadBytes);
    if (got > 0) {
      from_ = 0;
      to_ = static_cast<std::size_t>(got);
      write_to(out);
    } else if (got == 0 || (errno != EINTR && !would_block(errno))) {
      input_ended_ = true;
      tap_.ended(stamp_now());
    }
  }

  void write_to(int out) {
    const std::size_t begin = from_;
    while (from_ < to_ && !output_gone_) {
      const ssize_t written = write_some(sink_, out, buffer_.get() + from_, to_ - from_);
      if (written >= 0) {
        from_ += static_cast<std::size_t>(written);
      } else if (would_block(errno)) {
        break;
      } else if (errno != EINTR) {
        output_gone_ = true;
      }
    }
    if (from_ > begin) tap_.seen({buffer_.get() + begin, from_ - begin}, stamp_now());
  }

 private:
  LineTap& tap_;
  const Sink sink_;
  std::unique_ptr<char[]> buffer_;
  std::size_t from_ = 0, to_ = 0;  // read but not yet written
  bool input_ended_ = false;
  bool output_gone_ = false;
};

class Pump {
 public:
  Pump(const ClientEnds& client, ServerProcess& server, const HeldSignals& signals, PumpTaps taps)
      : client_(client),
        server_(server),
        signals_(signals),
        up_(taps.to_server, Sink::nonblocking),
        down_(taps.to_client, sink_of(client.out)) {}

  FirstEnd run() {
    // The child may have ended before its SIGCHLD was blocked, and then no other comes.
    server_.reap();
    while (!over()) {
      wait();
      hand_on_signals();
      move();
      close_ends();
    }
    if (!client_in_released_) release(client_.in);
    if (!client_out_released_) release(client_.out);
    return first_;
  }

 private:
  enum Slot { kSignals, kClientIn, kServerIn, kServerOut, kClientOut, kSlots };

  // The server has ended and its output is delivered. While another process holds its stdout open,
  // only a signal ends the wait.
  bool over() const { return server_.ended() && (down_.drained() || asked_to_end_); }

  void wait() {
    // poll() ignores negative descriptors, and with no events reports only errors and hang-ups.
    const bool up_open = server_.in() >= 0;
    const bool down_open = !client_out_released_;
    slots_[kSignals] = {signals_.fd(), POLLIN, 0};
    slots_[kClientIn] = {up_.wants_input() ? client_.in : -1, POLLIN, 0};
    slots_[kServerIn] = {up_open ? server_.in() : -1, events(up_.wants_output()), 0};
    slots_[kServerOut] = {down_.wants_input() ? server_.out() : -1, POLLIN, 0};
    slots_[kClientOut] = {down_open ? client_.out : -1, events(down_.wants_output()), 0};
    while (poll(slots_.data(), slots_.size(), -1) < 0 && errno == EINTR) {
    }
  }

  static short events(bool output) { return output ? POLLOUT : 0; }
  bool told(Slot slot, int what) const { return (slots_[slot].revents & what) != 0; }

  void hand_on_signals() {
    if (!told(kSignals, POLLIN)) return;
    signalfd_siginfo info{};
    while (read(signals_.fd(), &info, sizeof info) == sizeof info) {
      const int number = static_cast<int>(info.ssi_signo);
      if (number == SIGCHLD) continue;
      if (server_.ended()) asked_to_end_ = true;
      // The kernel sends a terminal's signals to the whole group: the server got it already.
      if (info.ssi_code != SI_KERNEL) server_.signal(number);
    }
    server_.reap();
  }

  void move() {
    constexpr int kGone = POLLERR | POLLNVAL;
    constexpr int kReadable = POLLIN | POLLHUP | POLLERR | POLLNVAL;
    if (told(kServerIn, kGone)) up_.lose_output();
    if (told(kClientOut, kGone | POLLHUP)) down_.lose_output();  // POLLHUP: sockets, POLLERR: pipes
    if (told(kServerIn, POLLOUT)) up_.write_to(server_.in());
    if (told(kClientOut, POLLOUT)) down_.write_to(client_.out);
    if (told(kClientIn, kReadable) && up_.wants_input()) up_.read_from(client_.in, server_.in());
    if (told(kServerOut, kReadable) && down_.wants_input()) {
      down_.read_from(server_.out(), client_.out);
    }
  }

  void close_ends() {
    if (first_ == FirstEnd::none) {
      if (up_.input_ended() || down_.output_gone()) {
        first_ = FirstEnd::client;
      } else if (down_.input_ended() || up_.output_gone()) {
        first_ = FirstEnd::server;
      }
    }
    if (up_.drained()) server_.close_in();
    if (up_.output_gone() && !client_in_released_) {
      release(client_.in);
      client_in_released_ = true;
    }
    if (down_.output_gone()) server_.close_out();
    if (down_.drained() && !client_out_released_) {
      release(client_.out);
      client_out_released_ = true;
    }
  }

  const ClientEnds client_;
  ServerProcess& server_;
  const HeldSignals& signals_;
  Channel up_, down_;
  std::array<pollfd, kSlots> slots_{};
  FirstEnd first_ = FirstEnd::none;
  bool client_in_released_ = false;
  bool client_out_released_ = false;
  bool asked_to_end_ = false;
};

}  // namespace

Stamp stamp_now() {
  timespec wall{}, mono{};
  clock_gettime(CLOCK_REALTIME, &wall);
  clock_gettime(CLOCK_MONOTONIC, &mono);
  return {wall.tv_sec * 1'000'000 + wall.tv_nsec / 1000,
          mono.tv_sec * 1'000'000'000 + mono.tv_nsec};
}

FirstEnd pump(const ClientEnds& client, ServerProcess& server, const HeldSignals& signals,
              PumpTaps taps) {
  return Pump(client, server, signals, taps).run();
}

}  // namespace hebb::capture
