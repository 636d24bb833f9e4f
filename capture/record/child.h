// The server process. Its stdin and stdout are pipes to us; everything else is as it would be
// without us: stderr, further descriptors, environment, process group, signal mask and
// dispositions.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

#include "capture/process.h"

namespace hebb::capture {

// Blocks the signals that a recorder passes on or waits for, which then arrive through fd(), and
// ignores those that writing may raise. The destructor undoes it. Make it before any thread.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  int fd() const { return fd_; }
  void release_in_child() const;  // restores the mask and dispositions; async-signal-safe

 private:
  struct Before;
  std::unique_ptr<Before> before_;
  int fd_ = -1;
};

class ServerProcess {
 public:
  // Found on PATH. Throws std::system_error with the errno of the failed exec.
  ServerProcess(const std::vector<std::string>& command, const HeldSignals& signals);
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  int in() const { return in_; }    // to its stdin; non-blocking
  int out() const { return out_; }  // from its stdout; non-blocking
  void close_in();
  void close_out();

  void signal(int number) const;  // does nothing once it has been reaped
  bool reap();                    // true: it has ended, now or before
  bool ended() const { return pid_ == 0; }
  const ProcessEnd& end() const { return end_; }

 private:
  pid_t pid_ = 0;
  int in_ = -1, out_ = -1;
  ProcessEnd end_;
};

}  // namespace hebb::capture
