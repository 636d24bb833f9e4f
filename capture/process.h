// Starting another program, and ending this process the way that program ended.
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
ProcessEnd process_end(int status);  // status: from wait()

// The most bytes that an unprivileged process may ask a pipe to hold.
inline constexpr int kPipeBytes = 1 << 20;

// A pipe whose descriptors are close-on-exec and above 2, since a child replaces 0 to 2.
struct Pipe {
  int read = -1, write = -1;

  Pipe();  // throws std::system_error
  ~Pipe();
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
};

// Runs `command` (found on PATH) with these descriptors as its stdin and stdout; -1: this process's
// own. `in_child` is called just before exec and must be async-signal-safe. Throws
// std::system_error with the errno of a failed exec.
pid_t spawn(const std::vector<std::string>& command, int in, int out,
            const std::function<void()>& in_child);

// Runs `command` in place of this program. Throws std::system_error if it cannot be started.
[[noreturn]] void replace_process(const std::vector<std::string>& command);

// Ends this process the way the other one ended, so that our parent sees the same.
[[noreturn]] void end_like(const ProcessEnd& end);

}  // namespace hebb::capture
