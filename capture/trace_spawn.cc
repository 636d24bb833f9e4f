#include "capture/trace_spawn.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hebb::capture {
namespace {

constexpr std::array kForwarded = {SIGHUP,  SIGINT,  SIGQUIT,  SIGTERM,
                                   SIGUSR1, SIGUSR2, SIGWINCH, SIGCONT};

std::atomic<pid_t> forward_to{0};
std::array<struct sigaction, kForwarded.size()> handlers_before;
static_assert(std::atomic<pid_t>::is_always_lock_free);  // a handler reads it

void forward(int signal, siginfo_t* info, void*) {
  const int kept = errno;
  const pid_t child = forward_to.load();
  // The kernel sends a terminal's signals to the whole group: the child has its own already.
  if (child > 0 && info->si_code <= 0) kill(child, signal);
  errno = kept;
}

void install_handlers() {
  struct sigaction action {};
  action.sa_sigaction = forward;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kForwarded.size(); ++i) {
    sigaction(kForwarded[i], nullptr, &handlers_before[i]);
    const bool ignored = handlers_before[i].sa_handler == SIG_IGN;  // as by nohup: stays so
    if (!ignored) sigaction(kForwarded[i], &action, nullptr);
  }
}

void restore_handlers() {
  for (std::size_t i = 0; i < kForwarded.size(); ++i) {
    sigaction(kForwarded[i], &handlers_before[i], nullptr);
  }
}

// Holds the forwarded signals back, so that none is lost between our handlers and the child's
// birth.
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

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

// posix_spawn: no fork of a large process, and the error of a failing exec comes back.
pid_t spawn(const std::vector<std::string>& command, int stdout_fd, const sigset_t& mask) {
  std::vector<char*> argv;
  for (const auto& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, stdout_fd, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);  // we ignore it; the program should not have to
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setsigmask(&attributes, &mask);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  pid_t pid = 0;
  const int error = posix_spawnp(&pid, argv[0], &actions, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) fail(error, command[0]);
  return pid;
}

}  // namespace

Child::Child(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail(errno, "pipe");
  stdout_ = ends[0];
  const HoldSignals hold;
  install_handlers();
  try {
    pid_ = spawn(command, ends[1], hold.before());
  } catch (...) {
    restore_handlers();
    close(ends[0]);
    close(ends[1]);
    throw;
  }
  close(ends[1]);
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
  // Seen to be dead before it is reaped: its number must not be another's when a signal comes.
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
  }
  forward_to = 0;
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  ProcessEnd end;
  if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
    end.exit_code = 128 + end.signal;
  } else {
    end.exit_code = WEXITSTATUS(status);
  }
  return end;
}

void end_like(const ProcessEnd& end) {
  if (end.signal != 0) {
    const rlimit no_core{0, 0};  // the program has left its own
    setrlimit(RLIMIT_CORE, &no_core);
    signal(end.signal, SIG_DFL);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, end.signal);
    sigprocmask(SIG_UNBLOCK, &only, nullptr);
    raise(end.signal);
  }
  _exit(end.exit_code);
}

IgnoreSigpipe::IgnoreSigpipe() : before_(signal(SIGPIPE, SIG_IGN)) {}
IgnoreSigpipe::~IgnoreSigpipe() { signal(SIGPIPE, before_); }

}  // namespace hebb::capture
