#include "capture/record/sink.h"

#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hebb::capture {
namespace {

// A pipe that poll() reports as writable takes a page without blocking (pipe(7)). It is written
// page by page, because it must not be set non-blocking: other processes may share the open file.
constexpr std::size_t kPipePage = 4096;

}  // namespace

Sink sink_of(int fd) {
  struct stat status {};
  if (fstat(fd, &status) != 0) return Sink::pipe;
  if (S_ISSOCK(status.st_mode)) return Sink::socket;
  if (S_ISREG(status.st_mode)) return Sink::nonblocking;
  return Sink::pipe;
}

ssize_t write_some(Sink sink, int fd, const char* bytes, std::size_t size) {
  if (sink == Sink::socket) return send(fd, bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sink == Sink::nonblocking) return ::write(fd, bytes, size);
  pollfd ready{fd, POLLOUT, 0};
  if (poll(&ready, 1, 0) == 0) {
    errno = EAGAIN;
    return -1;
  }
  return ::write(fd, bytes, std::min(size, kPipePage));
}

bool would_block(int error) { return error == EAGAIN || error == EWOULDBLOCK; }

void release(int fd) {
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0) return;
  dup2(nothing, fd);
  close(nothing);
}

}  // namespace hebb::capture
