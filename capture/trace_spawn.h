// A child process with its stdout in our hands, and the signals meant for it.
#pragma once

#include <string>
#include <system_error>
#include <vector>

#include <sys/types.h>

namespace hebb::capture {

// How a process ended: by exit(code), or by a signal.
struct ProcessEnd {
  int exit_code = 0;
  int signal = 0;  // 0: none
};

// Starts `command` (found on PATH) with stdin, stderr, environment and process group inherited.
// Signals that another process sends to us while it lives are handed on to it; those of a terminal
// reach it anyway, as it is of our group. One at a time.
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

// Ends this process as the other one ended, so that who waits for us sees the same.
[[noreturn]] void end_like(const ProcessEnd& end);

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
