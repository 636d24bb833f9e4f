// How a signal ends a pump that may be waiting for a read or a write.
//
// A handler cannot know whether the pump has looked for the request and not yet begun to wait. So
// it asks again, every second, by an alarm: the system call that waits then returns with EINTR.
#pragma once

#include <signal.h>

namespace hebb::capture {

// One at a time. SIGALRM is its own from the request on.
class StopRequest {
 public:
  StopRequest();
  ~StopRequest();
  StopRequest(const StopRequest&) = delete;
  StopRequest& operator=(const StopRequest&) = delete;

  static void make(int signal);  // async-signal-safe
  static int made_by();          // the signal; 0: none
};

}  // namespace hebb::capture
