#include "capture/trace/stop.h"

#include <unistd.h>

namespace hebb::capture {
namespace {

volatile sig_atomic_t stopped_by = 0;
struct sigaction alarm_before;

void ask_again(int) { alarm(1); }

}  // namespace

StopRequest::StopRequest() { stopped_by = 0; }

StopRequest::~StopRequest() {
  if (stopped_by == 0) return;
  signal(SIGALRM, SIG_IGN);  // one may still be pending
  alarm(0);
  sigaction(SIGALRM, &alarm_before, nullptr);
}

void StopRequest::make(int signal) {
  if (stopped_by == 0) {
    struct sigaction action {};
    action.sa_handler = ask_again;  // without SA_RESTART
    sigemptyset(&action.sa_mask);
    sigaction(SIGALRM, &action, &alarm_before);
  }
  stopped_by = signal;
  alarm(1);
}

int StopRequest::made_by() { return stopped_by; }

}  // namespace hebb::capture
