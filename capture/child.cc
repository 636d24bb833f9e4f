#include "capture/child.h"

#include <utility>

#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hebb::capture {

ChildProcess::ChildProcess(const std::vector<std::string>& command, Stdin input,
                           const HeldSignals& signals) {
  const bool piped = input == Stdin::piped;
  Pipe to, from;
  const pid_t parent = getpid();
  pid_ = spawn(command, piped ? to.read : -1, from.write, [&] {
    signals.release();
    if (piped) prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (piped && getppid() != parent) _exit(128 + SIGKILL);
  });
  pidfd_ = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  if (piped) in_ = std::exchange(to.write, -1);
  out_ = std::exchange(from.read, -1);
}

ChildProcess::~ChildProcess() {
  close_in();
  close_out();
  if (pidfd_ >= 0) close(pidfd_);
}

bool ChildProcess::ended() {
  int status = 0;
  if (pid_ != 0 && waitpid(pid_, &status, WNOHANG) == pid_) {
    pid_ = 0;
    end_ = process_end(status);
  }
  return pid_ == 0;
}

int ChildProcess::look_within_ms() const {
  constexpr int kLookAgainMs = 20;  // used if the kernel or a sandbox has no pidfd_open()
  return pid_ != 0 && pidfd_ < 0 ? kLookAgainMs : -1;
}

bool ChildProcess::signal(const ArrivedSignal& signal) {
  const int number = signal.number;
  if (ended())
    return number == SIGHUP || number == SIGINT || number == SIGQUIT || number == SIGTERM;
  if (!signal.from_terminal) kill(pid_, number);
  return false;
}

void ChildProcess::close_in() {
  if (in_ >= 0) close(std::exchange(in_, -1));
}

void ChildProcess::close_out() {
  if (out_ >= 0) close(std::exchange(out_, -1));
}

}  // namespace hebb::capture
