#include "sql/writer_queue.h"

#include <cerrno>
#include <chrono>
#include <future>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace hebb::sql {

namespace {

using File = std::shared_ptr<const int>;

constexpr off_t kNext = off_t{1} << 62, kTurn = kNext + 1;  // no database is that long

bool lock(const File& file, off_t byte, short type, int command) {
  struct flock one {};
  one.l_type = type;
  one.l_whence = SEEK_SET;
  one.l_start = byte;
  one.l_len = 1;
  int rc = 0;
  do {
    rc = ::fcntl(*file, command, &one);
  } while (rc != 0 && errno == EINTR);
  return rc == 0;
}

File open_file(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return nullptr;
  return {new int(fd), [](const int* opened) {
            ::close(*opened);  // also releases its locks
            delete opened;
          }};
}

bool both(const File& file, int command) {
  return lock(file, kNext, F_WRLCK, command) && lock(file, kTurn, F_WRLCK, command);
}

// No system call waits for a lock with a time limit, so a thread waits. After the limit only the
// thread still uses the file, and closes it as soon as it has both locks.
bool both_within(const File& file, std::chrono::milliseconds limit) try {
  std::promise<bool> promise;
  auto locked = promise.get_future();
  std::thread([file, promise = std::move(promise)]() mutable {
    promise.set_value(both(file, F_OFD_SETLKW));
  }).detach();
  return locked.wait_for(limit) == std::future_status::ready && locked.get();
} catch (const std::system_error&) {  // no thread can be started
  return false;
}

}  // namespace

std::shared_ptr<const void> WriterQueue::wait(int ms) {
  if (!file_ && !path_.empty()) file_ = open_file(path_);
  if (!file_) return nullptr;
  if (!both(file_, F_OFD_SETLK)) {
    const bool is_taken = errno == EAGAIN || errno == EACCES;
    if (!is_taken) path_.clear();  // the queue is not tried again
    if (!is_taken || ms <= 0 || !both_within(file_, std::chrono::milliseconds(ms))) {
      file_.reset();
      return nullptr;
    }
  }
  lock(file_, kNext, F_UNLCK, F_OFD_SETLK);
  return {file_.get(), [file = file_](const void*) { lock(file, kTurn, F_UNLCK, F_OFD_SETLK); }};
}

}  // namespace hebb::sql
