// A child process with its stdout in our hands, and the signals meant for it.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "capture/process.h"

namespace hebb::capture {

// Starts `command` (found on PATH) with stdin, stderr, environment and process group inherited.
// Signals that another process sends to us while it lives are handed on to it; those of a terminal
// reach it anyway, as it is of our group. Once it is dead, one that asks to end makes a
// StopRequest. One at a time.
class Child {
 public:
  explicit Child(const std::vector<std::string>& command);  // throws std::system_error
  ~Child();                                                 // precondition: wait() has returned
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int stdout_fd() const { return stdout_; }
  void close_stdout();  // the child then sees a reader that has gone away
  ProcessEnd wait();

 private:
  pid_t pid_ = 0;
  int stdout_ = -1;
};

// Ignores SIGPIPE for its lifetime: writing to nobody is an error to handle, not a death.
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
