#include "sql/file_locks.h"

#include <cstdarg>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <tuple>

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sql/connection.h"

namespace hebb::sql {
namespace {

#ifdef F_OFD_SETLK

extern "C" {
using OpenCall = int (*)(const char* path, int flags, int mode);
using CloseCall = int (*)(int fd);
using FcntlCall = int (*)(int fd, int command, ...);
}

// SQLite's own, which are called in the end.
struct Calls {
  OpenCall open = nullptr;
  CloseCall close = nullptr;
  FcntlCall fcntl = nullptr;
};
Calls g_calls;

// The files that SQLite has open, and the descriptors whose locks count for them. SQLite opens
// -shm once, and takes the locks of all connections there. It opens the database for each
// connection and takes a lock on any of these, so their locks are all taken on one descriptor more.
class LockedFiles {
 public:
  void add_database(const std::string& path) {
    const std::lock_guard lock(mutex_);
    databases_.insert(path);
  }

  void opened(const char* path, int fd) {
    const std::lock_guard lock(mutex_);
    constexpr std::string_view kShm = "-shm";
    std::string_view name(path);
    if (databases_.contains(std::string(name))) return opened_database(path, fd);
    if (!name.ends_with(kShm)) return;
    name.remove_suffix(kShm.size());
    if (databases_.contains(std::string(name)) && has_such_locks(fd)) lockers_[fd] = fd;
  }

  void closed(int fd) {
    const std::lock_guard lock(mutex_);
    lockers_.erase(fd);
    const auto inode = inodes_.find(fd);
    if (inode == inodes_.end()) return;
    const auto shared = shared_.find(inode->second);
    inodes_.erase(inode);
    if (--shared->second.users > 0) return;
    g_calls.close(shared->second.fd);
    shared_.erase(shared);
  }

  int locker_of(int fd) {  // -1: its locks are POSIX's
    const std::lock_guard lock(mutex_);
    const auto it = lockers_.find(fd);
    return it == lockers_.end() ? -1 : it->second;
  }

 private:
  using Inode = std::pair<dev_t, ino_t>;
  struct Shared {
    int fd = -1;
    int users = 0;  // descriptors of SQLite
  };

  static bool has_such_locks(int fd) {
    struct flock any {};
    any.l_type = F_RDLCK;
    any.l_whence = SEEK_SET;
    return g_calls.fcntl(fd, F_OFD_GETLK, &any) == 0;
  }

  void opened_database(const char* path, int fd) {
    struct stat s {};
    if (::fstat(fd, &s) != 0 || !has_such_locks(fd)) return;
    const Inode inode{s.st_dev, s.st_ino};
    auto shared = shared_.find(inode);
    if (shared == shared_.end()) {
      const int own = open_again(path, inode);
      if (own < 0) return;
      shared = shared_.emplace(inode, Shared{own, 0}).first;
    }
    inodes_.emplace(fd, inode);
    lockers_[fd] = shared->second.fd;
    ++shared->second.users;
  }

  // For writing if possible: a descriptor that only reads cannot take a lock of those who write.
  static int open_again(const char* path, const Inode& inode) {
    int fd = g_calls.open(path, O_RDWR | O_CLOEXEC, 0);
    if (fd < 0) fd = g_calls.open(path, O_RDONLY | O_CLOEXEC, 0);
    struct stat s {};
    if (fd < 0 || (::fstat(fd, &s) == 0 && Inode{s.st_dev, s.st_ino} == inode)) return fd;
    g_calls.close(fd);  // it was replaced just now
    return -1;
  }

  std::mutex mutex_;
  std::set<std::string> databases_;  // full paths
  std::map<int, int> lockers_;       // of SQLite's descriptors
  std::map<int, Inode> inodes_;      // of databases, by SQLite's descriptors
  std::map<Inode, Shared> shared_;
};

LockedFiles& locked_files() {
  static auto* files = new LockedFiles;  // never destroyed: connections may be closed after exit()
  return *files;
}

extern "C" int hebb_sqlite_open(const char* path, int flags, int mode) {
  const int fd = g_calls.open(path, flags, mode);
  if (fd < 0) return fd;
  try {
    locked_files().opened(path, fd);
  } catch (...) {  // there is no memory: its locks are POSIX's
  }
  return fd;
}

extern "C" int hebb_sqlite_close(int fd) {
  locked_files().closed(fd);
  return g_calls.close(fd);
}

extern "C" int hebb_sqlite_fcntl(int fd, int command, ...) {
  va_list arguments;
  va_start(arguments, command);
  void* argument = va_arg(arguments, void*);
  va_end(arguments);
  const bool locks = command == F_SETLK || command == F_SETLKW || command == F_GETLK;
  const int locker = locks ? locked_files().locker_of(fd) : -1;
  if (locker < 0) return g_calls.fcntl(fd, command, argument);
  auto* lock = static_cast<struct flock*>(argument);
  lock->l_pid = 0;  // as these locks require
  const int instead = command == F_SETLK    ? F_OFD_SETLK
                      : command == F_SETLKW ? F_OFD_SETLKW
                                            : F_OFD_GETLK;
  return g_calls.fcntl(locker, instead, lock);
}

void replace_calls() {
  sqlite3_vfs* vfs = sqlite3_vfs_find("unix");
  if (vfs == nullptr || vfs->iVersion < 3) return;
  g_calls.open = reinterpret_cast<OpenCall>(vfs->xGetSystemCall(vfs, "open"));
  g_calls.close = reinterpret_cast<CloseCall>(vfs->xGetSystemCall(vfs, "close"));
  g_calls.fcntl = reinterpret_cast<FcntlCall>(vfs->xGetSystemCall(vfs, "fcntl"));
  if (!g_calls.open || !g_calls.close || !g_calls.fcntl) return;
  const auto set = [vfs](const char* name, auto call) {
    vfs->xSetSystemCall(vfs, name, reinterpret_cast<sqlite3_syscall_ptr>(call));
  };
  set("close", &hebb_sqlite_close);
  set("fcntl", &hebb_sqlite_fcntl);
  set("open", &hebb_sqlite_open);
}

#endif

}  // namespace

void lock_open_files([[maybe_unused]] const std::string& database) {
#ifdef F_OFD_SETLK
  static std::once_flag once;
  std::call_once(once, replace_calls);
  sqlite3_vfs* vfs = sqlite3_vfs_find(nullptr);
  if (vfs == nullptr) return;
  std::string full(static_cast<std::size_t>(vfs->mxPathname) + 1, '\0');
  const int rc = vfs->xFullPathname(vfs, database.c_str(), vfs->mxPathname + 1, full.data());
  if ((rc & kPrimaryCode) != SQLITE_OK) return;  // of a link, the code has more bits
  locked_files().add_database(full.c_str());
#endif
}

}  // namespace hebb::sql
