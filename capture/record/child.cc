#include "capture/record/child.h"

#include <array>
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
  Pipe to, from;
  const pid_t parent = getpid();
  pid_ = spawn(command, to.read, from.write, [&] {
    signals.release_in_child();
    // If this process is killed it cannot pass a signal on, so the kernel kills the server.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(128 + SIGKILL);
  });
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
  end_ = process_end(status);
  return true;
}

}  // namespace hebb::capture
