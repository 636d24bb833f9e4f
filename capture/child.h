// A program that a relay runs. Its stdout, and its stdin if requested, are pipes to us; everything
// else is as without us: stderr, further descriptors, environment, process group, signal mask and
// dispositions.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <signal.h>
#include <sys/types.h>

#include "capture/process.h"
#include "capture/relay.h"

namespace hebb::capture {

// Which signals are passed on.
inline constexpr auto kPassedSignals = {SIGHUP,  SIGINT,  SIGQUIT,  SIGTERM,
                                        SIGUSR1, SIGUSR2, SIGWINCH, SIGCONT};

class ChildProcess : public OtherSide {
 public:
  enum class Stdin : std::uint8_t {
    inherited,
    piped,  // the child is killed if we are, since nobody else could end it
  };
  // Starts the command, found on PATH. Throws std::system_error with the errno of the failed exec.
  ChildProcess(const std::vector<std::string>& command, Stdin input, const HeldSignals& signals);
  ~ChildProcess() override;
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  int in() const override { return in_; }
  int out() const override { return out_; }
  bool ended() override;
  ProcessEnd end() const override { return end_; }
  int end_fd() const override { return pid_ == 0 ? -1 : pidfd_; }
  int look_within_ms() const override;
  // Signals from a terminal reach the child anyway, since it is in our process group. After it has
  // ended, a request to end is for us: another process may hold its stdout open, perhaps for ever.
  bool signal(const ArrivedSignal& signal) override;
  void close_in() override;
  void close_out() override;

 private:
  pid_t pid_ = 0;  // 0: it has ended
  int pidfd_ = -1;
  int in_ = -1, out_ = -1;
  ProcessEnd end_;
};

}  // namespace hebb::capture
