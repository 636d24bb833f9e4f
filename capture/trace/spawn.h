// A child process whose stdout is a pipe to us, and forwarding signals to it.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "capture/process.h"

namespace hebb::capture {

// Starts `command` (found on PATH) with stdin, stderr, environment and process group inherited.
// Signals that another process sends to us while it lives are forwarded to it; those of a terminal
// reach it anyway, as it is in our process group. Once it is dead, a signal that asks to end makes
// a StopRequest. There may be one Child at a time.
class Child {
 public:
  explicit Child(const std::vector<std::string>& command);  // throws std::system_error
  ~Child();                                                 // precondition: wait() has returned
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int stdout_fd() const { return stdout_; }
  void close_stdout();  // the child then gets EPIPE when it writes
  ProcessEnd wait();

 private:
  pid_t pid_ = 0;
  int stdout_ = -1;
};

// Ignores SIGPIPE for its lifetime: writing without a reader then fails with EPIPE.
class IgnoreSigpipe {
 public:
  IgnoreSigpipe();
  ~IgnoreSigpipe();
  IgnoreSigpipe(const IgnoreSigpipe&) = delete;
  IgnoreSigpipe& operator=(const IgnoreSigpipe&) = delete;

 private:
  void (*before_)(int);
};

}  // namespace hebb::capture
