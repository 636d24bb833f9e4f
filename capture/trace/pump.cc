#include "capture/trace/pump.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <memory>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/uio.h>
#include <unistd.h>

#include "capture/trace/stop.h"

namespace hebb::capture {
namespace {

constexpr std::size_t kRead = 256u << 10;  // fits into the second-level cache
constexpr int kPipe = 1 << 20;             // the most that an unprivileged process may ask for

// Waits for the events; errno is EINTR if a signal ended the wait.
void wait_for(int fd, short events) {
  pollfd p{fd, events, 0};
  errno = 0;
  poll(&p, 1, -1);
}

// Writes all of the spans. Returns 0 or errno, which is EINTR if a stop was requested meanwhile.
int write_all(int fd, const TraceFilter::Spans& spans) {
  std::vector<iovec> rest;
  rest.reserve(spans.size());
  for (const auto span : spans) rest.push_back({const_cast<char*>(span.data()), span.size()});
  std::size_t at = 0;
  while (at < rest.size()) {
    const auto count = std::min<std::size_t>(rest.size() - at, IOV_MAX);
    ssize_t written = writev(fd, rest.data() + at, static_cast<int>(count));
    if (written < 0) {
      if (errno == EAGAIN || errno == EWOULDBLOCK) wait_for(fd, POLLOUT);
      if (errno == EINTR && StopRequest::made_by() != 0) return EINTR;
      if (errno != EINTR && errno != 0) return errno;
      continue;
    }
    for (; at < rest.size() && written >= static_cast<ssize_t>(rest[at].iov_len); ++at) {
      written -= static_cast<ssize_t>(rest[at].iov_len);
    }
    if (written > 0) {
      rest[at].iov_base = static_cast<char*>(rest[at].iov_base) + written;
      rest[at].iov_len -= static_cast<std::size_t>(written);
    }
  }
  return 0;
}

PumpResult failed_write(int error) {
  if (error == EINTR) return {PumpEnd::interrupted, error};
  return {error == EPIPE ? PumpEnd::reader_gone : PumpEnd::write_failed, error};
}

}  // namespace

PumpResult pump(int in, int out, TraceFilter& filter, Stopped when_stopped) {
  fcntl(in, F_SETPIPE_SZ, kPipe);  // fails without harm if it is not a pipe
  fcntl(out, F_SETPIPE_SZ, kPipe);
  const auto buffer = std::make_unique_for_overwrite<char[]>(kRead);
  TraceFilter::Spans spans;
  PumpResult result;
  ssize_t left = kPipe;  // when draining: a pipe cannot hold more
  while (left > 0) {
    if (StopRequest::made_by() != 0 && result.end != PumpEnd::interrupted) {
      result.end = PumpEnd::interrupted;
      if (when_stopped == Stopped::ends) break;
      fcntl(in, F_SETFL, O_NONBLOCK);
    }
    const bool draining = result.end == PumpEnd::interrupted;
    const ssize_t got = read(in, buffer.get(), kRead);
    if (got == 0) break;
    if (got < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN || errno == EWOULDBLOCK) {
        if (draining) break;
        wait_for(in, POLLIN);
        continue;
      }
      result = {PumpEnd::read_failed, errno};
      break;
    }
    if (draining) left -= got;
    spans.clear();
    filter.feed({buffer.get(), static_cast<std::size_t>(got)}, spans);
    if (const int error = write_all(out, spans)) return failed_write(error);
  }
  spans.clear();
  filter.finish(spans);
  if (const int error = write_all(out, spans)) return failed_write(error);
  return result;
}

}  // namespace hebb::capture
