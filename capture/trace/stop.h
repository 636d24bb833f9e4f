// Lets a signal end a pump that may be waiting for a read or a write.
//
// The signal may come after the pump has looked for a request and before it begins to wait. So the
// request repeats itself every second by an alarm, which makes a waiting system call return EINTR.
#pragma once

#include <signal.h>

namespace hebb::capture {

// There may be one at a time. From the request on it uses SIGALRM.
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
