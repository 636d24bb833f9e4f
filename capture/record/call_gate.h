// Lets several threads call something until it is closed; whoever closes it waits for their calls.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

namespace hebb::capture {

class CallGate {
 public:
  // While one lives, its thread may call, if that is allowed, and close() waits.
  class Call {
   public:
    explicit Call(CallGate& gate) : gate_(gate), allowed_(gate.enter()) {}
    ~Call() {
      if (allowed_) gate_.leave();
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;
    bool allowed() const { return allowed_; }

   private:
    CallGate& gate_;
    const bool allowed_;
  };

  // Afterwards no call goes on, and none is allowed. Precondition: this thread has no Call.
  void close() {
    std::unique_lock lock(mutex_);
    closed_ = true;
    left_.wait(lock, [&] { return calls_ == 0; });
  }

 private:
  bool enter() {
    const std::lock_guard lock(mutex_);
    if (!closed_) ++calls_;
    return !closed_;
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    --calls_;
    left_.notify_all();
  }

  std::mutex mutex_;  // guards the members below
  std::condition_variable left_;
  std::size_t calls_ = 0;
  bool closed_ = false;
};

}  // namespace hebb::capture
