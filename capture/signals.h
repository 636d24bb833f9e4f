// The signals that a relay handles during its lifetime: blocked in every thread, and read by its
// main thread from a descriptor.
#pragma once

#include <initializer_list>
#include <memory>
#include <optional>

namespace hebb::capture {

// Interrupts a system call of one of our own threads, and does nothing else.
int interrupting_signal();

struct ArrivedSignal {
  int number = 0;
  bool from_terminal = false;  // sent by the kernel to the whole process group
};

// Blocks these signals, except those that are ignored, as by nohup. Also ignores the signals that
// writing raises, so that a write without a reader fails instead; and no longer ignores SIGCHLD,
// because then no child could be waited for. The destructor restores everything. Construct it
// before any thread: a thread without these blocked would be killed by them.
class HeldSignals {
 public:
  explicit HeldSignals(std::initializer_list<int> numbers);
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  int fd() const { return fd_; }              // readable when a signal is pending
  std::optional<ArrivedSignal> next() const;  // does not wait
  void release() const;  // restores this thread's signal state; async-signal-safe
  void unblock() const;  // from now on the signals have their former effect

 private:
  struct Before;
  std::unique_ptr<Before> before_;
  int fd_ = -1;
};

}  // namespace hebb::capture
