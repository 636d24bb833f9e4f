#include "engine/inbox/input_locks.h"

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>
#include <xxhash.h>

namespace hebb {

InputLocks::~InputLocks() {
  if (fd_ >= 0) ::close(fd_);
}

bool InputLocks::take(const std::string& input) {
  return !held_.contains(input) && lock(input, F_WRLCK) && held_.insert(input).second;
}

void InputLocks::give_back(const std::string& input) {
  if (held_.erase(input) > 0) lock(input, F_UNLCK);
}

// True also where nothing can be locked: nobody else reads into a database in memory, and where the
// system has no such locks, nobody can tell.
bool InputLocks::lock(const std::string& input, short type) {
  constexpr off_t kFirst = off_t{1} << 62;
  if (fd_ < 0) fd_ = ::open(database_.c_str(), O_RDWR | O_CLOEXEC);
  if (fd_ < 0) return true;
  struct flock byte {};
  byte.l_type = type;
  byte.l_whence = SEEK_SET;
  byte.l_start = kFirst + static_cast<off_t>(XXH3_64bits(input.data(), input.size()) >> 2);
  byte.l_len = 1;
  return ::fcntl(fd_, F_OFD_SETLK, &byte) == 0 || (errno != EAGAIN && errno != EACCES);
}

}  // namespace hebb
