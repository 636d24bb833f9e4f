// The signals that a relay takes for its lifetime: they are blocked in every thread, and its main
// thread reads them from a descriptor.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>

namespace hebb::capture {

// Interrupts a system call of one of our own threads, and does nothing else.
int interrupting_signal();

struct ArrivedSignal {
  int number = 0;
  bool from_terminal = false;  // the kernel has sent it to the whole process group
};

// Blocks these signals, except those that are ignored, as by nohup. Also ignores the signals that
// writing raises, so that a write without a reader fails instead; and no longer ignores SIGCHLD,
// because then no child could be waited for. The destructor undoes all of it. Make it before any
// thread: a thread that blocks none of these signals would die of them.
class HeldSignals {
 public:
  explicit HeldSignals(std::initializer_list<int> numbers);
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  int fd() const { return fd_; }              // readable when one has come
  std::optional<ArrivedSignal> next() const;  // does not wait
  void release() const;  // as they were before, in this thread; async-signal-safe
  void unblock() const;  // from now on they do what they did before

 private:
  struct Before;
  std::unique_ptr<Before> before_;
  int fd_ = -1;
};

}  // namespace hebb::capture
