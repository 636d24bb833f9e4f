#include "capture/trace/spawn.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <utility>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/trace/stop.h"

namespace hebb::capture {
namespace {

constexpr std::array kForwarded = {SIGHUP,  SIGINT,  SIGQUIT,  SIGTERM,
                                   SIGUSR1, SIGUSR2, SIGWINCH, SIGCONT};

std::atomic<pid_t> forward_to{0};
std::array<struct sigaction, kForwarded.size()> handlers_before;
struct sigaction child_handler_before;
static_assert(std::atomic<pid_t>::is_always_lock_free);  // a signal handler reads it

// Does not reap the child, so that its process id is not reused.
bool is_dead(pid_t child) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid == child;
}

void forward(int signal, siginfo_t* info, void*) {
  const int kept = errno;
  const pid_t child = forward_to.load();
  const bool ends = signal == SIGHUP || signal == SIGINT || signal == SIGQUIT || signal == SIGTERM;
  if (child > 0 && ends && is_dead(child)) {
    StopRequest::make(signal);  // another process has its stdout open, perhaps for ever
  } else if (child > 0 && info->si_code <= 0) {
    // The kernel sends a terminal's signals to the whole group, so the child got this one itself.
    kill(child, signal);
  }
  errno = kept;
}

void install_handlers() {
  struct sigaction action {};
  action.sa_sigaction = forward;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kForwarded.size(); ++i) {
    sigaction(kForwarded[i], nullptr, &handlers_before[i]);
    const bool ignored = handlers_before[i].sa_handler == SIG_IGN;  // as by nohup: stays so
    if (!ignored) sigaction(kForwarded[i], &action, nullptr);
  }
  // A parent may have left SIGCHLD ignored, and then no child can be waited for.
  action.sa_handler = SIG_DFL;
  action.sa_flags = 0;
  sigaction(SIGCHLD, &action, &child_handler_before);
}

void restore_handlers() {
  for (std::size_t i = 0; i < kForwarded.size(); ++i) {
    sigaction(kForwarded[i], &handlers_before[i], nullptr);
  }
  sigaction(SIGCHLD, &child_handler_before, nullptr);
}

// Blocks the forwarded signals, so that none is lost between installing our handlers and starting
// the child.
class HoldSignals {
 public:
  HoldSignals() {
    sigset_t held;
    sigemptyset(&held);
    for (const int signal : kForwarded) sigaddset(&held, signal);
    sigprocmask(SIG_BLOCK, &held, &before_);
  }
  ~HoldSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  HoldSignals(const HoldSignals&) = delete;
  HoldSignals& operator=(const HoldSignals&) = delete;
  const sigset_t& before() const { return before_; }

 private:
  sigset_t before_;
};

}  // namespace

Child::Child(const std::vector<std::string>& command) {
  Pipe from;
  const HoldSignals hold;
  install_handlers();
  try {
    pid_ = spawn(command, -1, from.write, [&] {
      restore_handlers();
      signal(SIGPIPE, SIG_DFL);  // we ignore it; the child must not inherit that
      sigprocmask(SIG_SETMASK, &hold.before(), nullptr);
    });
  } catch (...) {
    restore_handlers();
    throw;
  }
  stdout_ = std::exchange(from.read, -1);
  forward_to = pid_;
}

Child::~Child() {
  close_stdout();
  restore_handlers();
}

void Child::close_stdout() {
  if (stdout_ >= 0) close(stdout_);
  stdout_ = -1;
}

ProcessEnd Child::wait() {
  // Wait without reaping first, so that no signal is forwarded to a reused process id.
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  forward_to = 0;
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  return process_end(status);
}

IgnoreSigpipe::IgnoreSigpipe() : before_(signal(SIGPIPE, SIG_IGN)) {}
IgnoreSigpipe::~IgnoreSigpipe() { signal(SIGPIPE, before_); }

}  // namespace hebb::capture
