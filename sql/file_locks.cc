#include "sql/file_locks.h"

#include <array>
#include <cstdarg>
#include <cstring>
#include <map>
#include <mutex>
#include <string_view>

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hebb::sql {
namespace {

extern "C" {
using OpenCall = int (*)(const char* path, int flags, int mode);
using CloseCall = int (*)(int fd);
using FcntlCall = int (*)(int fd, int command, ...);
}

// SQLite's own system calls, which the replacements call.
struct Calls {
  OpenCall open = nullptr;
  CloseCall close = nullptr;
  FcntlCall fcntl = nullptr;
};
Calls g_calls;

// The files that SQLite has open, and the descriptors whose locks count for them. SQLite opens -shm
// once, and takes the locks of all connections on that descriptor. It opens the database once for
// each connection and takes a lock on any of these descriptors, so the locks on the database are
// all taken on one additional descriptor.
class LockedFiles {
 public:
  void add_database(const std::string& path) {
    const std::lock_guard lock(mutex_);
    databases_.try_emplace(path);
  }

  void opened(const char* path, int fd) {
    const std::lock_guard lock(mutex_);
    constexpr std::string_view kShm = "-shm";
    std::string_view name(path);
    if (databases_.contains(std::string(name))) return opened_database(path, fd);
    if (!name.ends_with(kShm)) return;
    name.remove_suffix(kShm.size());
    const auto database = databases_.find(std::string(name));
    if (database == databases_.end() || !is_held(fd, kHeldOfShm)) return;
    lockers_[fd] = fd;
    shms_[database->second] = fd;
  }

  void closed(int fd) {
    const std::lock_guard lock(mutex_);
    lockers_.erase(fd);
    std::erase_if(shms_, [fd](const auto& shm) { return shm.second == fd; });
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

  std::optional<LockFile> lock_file_of(FileId database) {
    const std::lock_guard lock(mutex_);
    const auto shared = shared_.find(database);
    const auto shm = shms_.find(database);
    struct stat s {};
    if (shared == shared_.end() || shm == shms_.end() || ::fstat(shm->second, &s) != 0) return {};
    return LockFile{{s.st_dev, s.st_ino},
                    is_held(shared->second.fd, kHeldOfDatabase).value_or(false),
                    is_held(shm->second, kHeldOfShm).value_or(false),
                    log_bytes(shm->second)};
  }

 private:
  // The bytes that each process locks for reading while it has the file open: SQLite's SHARED_FIRST
  // and SHARED_SIZE, and its UNIX_SHM_DMS.
  struct Bytes {
    off_t first, size;
  };
  static constexpr Bytes kHeldOfDatabase{0x40000002, 510}, kHeldOfShm{128, 1};

  // Whether others hold one of these bytes; nullopt: there are no such locks.
  static std::optional<bool> is_held(int fd, Bytes bytes) {
    struct flock any {};
    any.l_type = F_WRLCK;
    any.l_whence = SEEK_SET;
    any.l_start = bytes.first;
    any.l_len = bytes.size;
    if (g_calls.fcntl(fd, F_OFD_GETLK, &any) != 0) return std::nullopt;
    return any.l_type != F_UNLCK;
  }

  // The length of the log up to the last commit, from the head of -shm: see "WAL-Index Header" in
  // https://sqlite.org/walformat.html.
  static std::int64_t log_bytes(int shm) {
    constexpr std::uint32_t kVersion = 3007000;
    constexpr std::int64_t kLogHead = 32, kFrameHead = 24;
    std::array<char, 20> head{};
    if (::pread(shm, head.data(), head.size(), 0) != ssize_t{head.size()}) return 0;
    std::uint32_t version = 0, frames = 0;
    std::uint16_t page = 0;
    std::memcpy(&version, head.data(), sizeof version);
    std::memcpy(&page, head.data() + 14, sizeof page);
    std::memcpy(&frames, head.data() + 16, sizeof frames);
    if (version != kVersion || frames == 0) return 0;
    return kLogHead + std::int64_t{frames} * (kFrameHead + (page == 1 ? 65536 : page));
  }

  struct Shared {
    int fd = -1;
    int users = 0;  // descriptors of SQLite
  };

  void opened_database(const char* path, int fd) {
    struct stat s {};
    const bool has_such_locks = is_held(fd, kHeldOfShm).has_value();
    if (::fstat(fd, &s) != 0 || !has_such_locks) return;
    const FileId inode{s.st_dev, s.st_ino};
    databases_[path] = inode;
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
  static int open_again(const char* path, const FileId& inode) {
    int fd = g_calls.open(path, O_RDWR | O_CLOEXEC, 0);
    if (fd < 0) fd = g_calls.open(path, O_RDONLY | O_CLOEXEC, 0);
    struct stat s {};
    if (fd < 0 || (::fstat(fd, &s) == 0 && FileId{s.st_dev, s.st_ino} == inode)) return fd;
    g_calls.close(fd);  // it was replaced just now
    return -1;
  }

  std::mutex mutex_;
  std::map<std::string, FileId> databases_;  // by full path: the file opened there last
  std::map<int, int> lockers_;               // by SQLite's descriptor: the one with its locks
  std::map<int, FileId> inodes_;             // by SQLite's descriptor: its database
  std::map<FileId, Shared> shared_;
  std::map<FileId, int> shms_;  // SQLite's descriptors, by database
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
  } catch (...) {  // no memory: the file's locks stay POSIX's
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
  lock->l_pid = 0;  // Linux's locks of open files require it
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

}  // namespace

void lock_open_files(const std::string& database) {
  static std::once_flag once;
  std::call_once(once, replace_calls);
  locked_files().add_database(database);
}

std::optional<LockFile> lock_file_of(FileId database) {
  return locked_files().lock_file_of(database);
}

}  // namespace hebb::sql
