// What starting another program takes, and ending as it did.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace hebb::capture {

// How a process ended: by exit(code), or by a signal.
struct ProcessEnd {
  int exit_code = 0;
  int signal = 0;  // 0: none
};
ProcessEnd process_end(int status);  // as wait() gives it

// Close-on-exec, and above the standard descriptors, which a child replaces.
struct Pipe {
  int read = -1, write = -1;

  Pipe();  // throws std::system_error
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
};

// Runs `command` (found on PATH) with these as its stdin and stdout; -1: ours. `in_child` runs last
// before it and must be async-signal-safe. Throws std::system_error with the errno of a failed
// exec.
pid_t spawn(const std::vector<std::string>& command, int in, int out,
            const std::function<void()>& in_child);

// Ends this process as the other one ended, so that who waits for us sees the same.
[[noreturn]] void end_like(const ProcessEnd& end);

}  // namespace hebb::capture
