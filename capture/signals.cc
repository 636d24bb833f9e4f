#include "capture/signals.h"

#include <array>
#include <cerrno>
#include <system_error>

#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace hebb::capture {
namespace {

constexpr int kInterrupt = SIGURG;  // ignored by default
constexpr std::array kChanged{SIGPIPE, SIGXFSZ, SIGCHLD, kInterrupt};

void do_nothing(int) {}

bool is_ignored(int number) {
  struct sigaction action {};
  return sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

int interrupting_signal() { return kInterrupt; }

struct HeldSignals::Before {
  sigset_t mask;
  std::array<struct sigaction, kChanged.size()> actions;
};

HeldSignals::HeldSignals(std::initializer_list<int> numbers) : before_(std::make_unique<Before>()) {
  sigset_t held;
  sigemptyset(&held);
  for (const int number : numbers) {
    if (!is_ignored(number)) sigaddset(&held, number);
  }
  fd_ = signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK);
  if (fd_ < 0) throw std::system_error(errno, std::generic_category(), "signalfd");
  struct sigaction action {};
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kChanged.size(); ++i) {
    action.sa_handler = kChanged[i] == SIGCHLD      ? SIG_DFL
                        : kChanged[i] == kInterrupt ? do_nothing
                                                    : SIG_IGN;
    sigaction(kChanged[i], &action, &before_->actions[i]);
  }
  pthread_sigmask(SIG_BLOCK, &held, &before_->mask);
}

HeldSignals::~HeldSignals() {
  release();
  close(fd_);
}

std::optional<ArrivedSignal> HeldSignals::next() const {
  signalfd_siginfo info{};
  if (read(fd_, &info, sizeof info) != sizeof info) return std::nullopt;
  return ArrivedSignal{static_cast<int>(info.ssi_signo), info.ssi_code == SI_KERNEL};
}

void HeldSignals::release() const {
  for (std::size_t i = 0; i < kChanged.size(); ++i)
    sigaction(kChanged[i], &before_->actions[i], nullptr);
  unblock();
}

void HeldSignals::unblock() const { pthread_sigmask(SIG_SETMASK, &before_->mask, nullptr); }

}  // namespace hebb::capture
