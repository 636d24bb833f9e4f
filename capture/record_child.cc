#include "capture/record_child.h"

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hebb::capture {
namespace {

constexpr std::array kHeld{SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGCHLD};
constexpr std::array kChanged{SIGPIPE, SIGXFSZ, SIGCHLD};

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

struct Pipe {
  int read = -1, write = -1;

  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) fail(errno, "pipe");
    // The child's 0, 1 and 2 are set by dup2, which needs them to be others.
    for (int& end : ends) {
      if (end <= STDERR_FILENO) end = fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    }
    read = ends[0];
    write = ends[1];
  }
  ~Pipe() {
    if (read >= 0) ::close(read);
    if (write >= 0) ::close(write);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
};

void set_nonblocking(int fd) { fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK); }

}  // namespace

struct HeldSignals::Before {
  sigset_t mask;
  std::array<struct sigaction, kChanged.size()> actions;
};

HeldSignals::HeldSignals() : before_(std::make_unique<Before>()) {
  struct sigaction action {};
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kChanged.size(); ++i) {
    // A parent may have left SIGCHLD ignored, and then no child can be waited for.
    action.sa_handler = kChanged[i] == SIGCHLD ? SIG_DFL : SIG_IGN;
    sigaction(kChanged[i], &action, &before_->actions[i]);
  }
  sigset_t held;
  sigemptyset(&held);
  for (const int number : kHeld) sigaddset(&held, number);
  sigprocmask(SIG_BLOCK, &held, &before_->mask);
  fd_ = signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK);
}

HeldSignals::~HeldSignals() {
  release_in_child();
  if (fd_ >= 0) close(fd_);
}

void HeldSignals::release_in_child() const {
  for (std::size_t i = 0; i < kChanged.size(); ++i)
    sigaction(kChanged[i], &before_->actions[i], nullptr);
  sigprocmask(SIG_SETMASK, &before_->mask, nullptr);
}

ServerProcess::ServerProcess(const std::vector<std::string>& command, const HeldSignals& signals) {
  std::vector<char*> argv;
  for (const auto& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  Pipe to, from, report;
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) fail(errno, "fork");
  if (pid_ == 0) {
    dup2(to.read, STDIN_FILENO);
    dup2(from.write, STDOUT_FILENO);
    signals.release_in_child();
    // Killed outright we can hand nothing on: the kernel does.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(128 + SIGKILL);
    execvp(argv[0], argv.data());
    const int error = errno;
    const auto written = write(report.write, &error, sizeof error);
    _exit(written == sizeof error ? 127 : 126);
  }
  close(std::exchange(report.write, -1));
  int error = 0;
  ssize_t got = 0;
  while ((got = read(report.read, &error, sizeof error)) < 0 && errno == EINTR) {
  }
  if (got == sizeof error) {
    waitpid(pid_, nullptr, 0);
    fail(error, command[0]);
  }
  in_ = std::exchange(to.write, -1);
  out_ = std::exchange(from.read, -1);
  set_nonblocking(in_);
  set_nonblocking(out_);
}

ServerProcess::~ServerProcess() {
  close_in();
  close_out();
}

void ServerProcess::close_in() {
  if (in_ >= 0) close(std::exchange(in_, -1));
}

void ServerProcess::close_out() {
  if (out_ >= 0) close(std::exchange(out_, -1));
}

void ServerProcess::signal(int number) const {
  if (pid_ > 0) kill(pid_, number);
}

bool ServerProcess::reap() {
  if (ended()) return true;
  int status = 0;
  if (waitpid(pid_, &status, WNOHANG) != pid_) return false;
  pid_ = 0;
  if (WIFSIGNALED(status)) {
    end_.signal = WTERMSIG(status);
    end_.exit_code = 128 + end_.signal;
  } else {
    end_.exit_code = WEXITSTATUS(status);
  }
  return true;
}

}  // namespace hebb::capture
