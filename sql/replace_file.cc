#include "sql/replace_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <random>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hebb::sql {
namespace {

namespace fs = std::filesystem;

constexpr int kLinks = 40;               // the most symbolic links that Linux follows
constexpr int kAttempts = 100;           // to find an unused name
constexpr std::size_t kNameBytes = 200;  // how much of the file's name the new file's name has

[[noreturn]] void fail(const std::string& what, const std::string& path, int error) {
  throw FileError(what + " " + path + ": " + std::strerror(error));
}

std::optional<struct stat> stat_or_fail(const std::string& path) {
  struct stat s {};
  if (::stat(path.c_str(), &s) == 0) return s;
  if (errno != ENOENT) fail("cannot write", path, errno);
  return std::nullopt;
}

// The path at the end of all symbolic links; it need not exist.
fs::path follow_links(fs::path path) {
  std::error_code none;
  for (int i = 0; fs::is_symlink(path, none); ++i) {
    if (i == kLinks) fail("cannot write", path.string(), ELOOP);
    std::error_code error;
    const fs::path to = fs::read_symlink(path, error);
    if (error) fail("cannot write", path.string(), error.value());
    path = path.parent_path() / to;  // just `to` if that is absolute
  }
  return path;
}

// Where a file is, or would be made.
fs::path place_of(const fs::path& path) {
  const fs::path target = follow_links(path);
  std::error_code none;
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  return fs::weakly_canonical(folder, none) / target.filename();
}

std::string random_suffix() {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789";
  std::random_device random;
  std::string suffix;
  for (int i = 0; i < 6; ++i) suffix += kLetters[random() % kLetters.size()];
  return suffix;
}

// Renames, but never over an existing file. On file systems that cannot do that, uses link().
int rename_new(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  if (::link(from.c_str(), to.c_str()) != 0) return errno;
  ::unlink(from.c_str());
  return 0;
}

// A new name survives a power cut only if its folder is synced.
void sync_folder(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  const std::string folder = parent.empty() ? "." : parent.string();
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;  // the folder may be writable but not readable
  const int error = ::fsync(fd) == 0 ? 0 : errno;
  ::close(fd);
  if (error != 0 && error != EINVAL) fail("cannot sync the folder of", path, error);
}

}  // namespace

bool is_file_of(const std::string& path, const std::string& database) {
  for (const std::string& name : {database, follow_links(database).string()}) {
    for (const char* suffix : {"", "-wal", "-shm", "-journal", "-image", "-image-new"}) {
      std::error_code none;
      const bool same = fs::equivalent(path, name + suffix, none);
      if (same || place_of(path) == place_of(name + suffix)) return true;
    }
  }
  return false;
}

FileReplacement::FileReplacement(const std::string& path, Existing existing) : existing_(existing) {
  if (path.empty()) fail("cannot write", "a file without a name", ENOENT);
  const auto there = stat_or_fail(path);
  if (there && !S_ISREG(there->st_mode)) {
    throw FileError(path + (S_ISDIR(there->st_mode) ? " is a folder" : " is a device or a pipe") +
                    ": only a regular file is replaced");
  }
  if (there && existing == Existing::keep) fail("cannot make", path, EEXIST);
  if (there && ::access(path.c_str(), W_OK) != 0) fail("cannot replace", path, errno);
  target_ = follow_links(path).string();
  const fs::path target(target_);
  const mode_t mode = there ? there->st_mode & 0777U : 0666U;
  for (int i = 0; fd_ < 0; ++i) {
    new_file_ = (target.parent_path() /
                 (target.filename().string().substr(0, kNameBytes) + ".new-" + random_suffix()))
                    .string();
    fd_ = ::open(new_file_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    if (fd_ < 0 && (errno != EEXIST || i == kAttempts)) fail("cannot write", path, errno);
  }
  if (!there) return;
  // The group gets its permissions only if it could be kept: they are meant for that group.
  const bool owned = ::fchown(fd_, there->st_uid, there->st_gid) == 0 ||
                     ::fchown(fd_, static_cast<uid_t>(-1), there->st_gid) == 0;
  ::fchmod(fd_, owned ? mode : mode & ~070U);
}

FileReplacement::~FileReplacement() {
  if (fd_ < 0) return;
  ::close(fd_);
  ::unlink(new_file_.c_str());
}

void FileReplacement::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) fail("cannot write", target_, n < 0 ? errno : ENOSPC);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void FileReplacement::commit() {
  if (::fsync(fd_) != 0) fail("cannot write", target_, errno);
  // The target may have become another kind of file since the constructor checked it.
  const auto there = stat_or_fail(target_);
  if (there && !S_ISREG(there->st_mode)) throw FileError(target_ + " is no regular file any more");
  const bool replace = existing_ == Existing::replace;
  const int error = !replace ? rename_new(new_file_, target_)
                    : ::rename(new_file_.c_str(), target_.c_str()) == 0 ? 0
                                                                        : errno;
  if (error != 0) fail(replace ? "cannot replace" : "cannot make", target_, error);
  ::close(fd_);
  fd_ = -1;
  sync_folder(target_);
}

}  // namespace hebb::sql
