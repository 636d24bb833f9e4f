#include "cli/follow.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/command.h"

namespace hebb::cli {

namespace {

namespace fs = std::filesystem;

constexpr int kLookMs = 500;  // for changes without an event: a folder or a link was replaced

// Identifies a file and its content; zeros: there is none. Of the times only mtime: ctime also
// changes without a write.
std::array<std::int64_t, 5> identity_of(const std::string& path) {
  struct stat s {};
  if (stat(path.c_str(), &s) != 0) return {};
  const auto written =
      static_cast<std::int64_t>(s.st_mtim.tv_sec) * 1'000'000'000 + s.st_mtim.tv_nsec;
  return {1, static_cast<std::int64_t>(s.st_dev), static_cast<std::int64_t>(s.st_ino),
          static_cast<std::int64_t>(s.st_size), written};
}

}  // namespace

FollowedFile::FollowedFile(std::string path) : path_(std::move(path)) {
  const fs::path folder = fs::path(path_).parent_path();
  std::error_code ec;
  if (!folder.empty() && !fs::is_directory(folder, ec))
    throw Stop(kNoFile,
               fmt::format("cannot follow {}: there is no folder {}", path_, folder.string()));
  inotify_ = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);  // where this fails, the file is polled
  watch();
  file_ = identity_of(path_);
}

FollowedFile::~FollowedFile() {
  if (inotify_ >= 0) close(inotify_);
}

void FollowedFile::watch() {
  std::error_code ec;
  fs::path real = fs::canonical(path_, ec);
  if (ec) real = fs::weakly_canonical(path_, ec);
  if (ec) real = path_;
  const std::string folder = real.has_parent_path() ? real.parent_path().string() : ".";
  auto now = identity_of(folder);
  now[3] = now[4] = 0;  // the size and time of its content
  name_ = real.filename().string();
  if (now == folder_) return;
  folder_ = now;
  if (watch_ >= 0) inotify_rm_watch(inotify_, watch_);
  constexpr std::uint32_t kChanges =
      IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVE_SELF | IN_DELETE_SELF | IN_ONLYDIR;
  watch_ = inotify_add_watch(inotify_, folder.c_str(), kChanges);
}

bool FollowedFile::take_events() {
  bool changed = false;
  alignas(inotify_event) std::array<char, 16 << 10> buffer;
  ssize_t got = 0;
  while ((got = read(inotify_, buffer.data(), buffer.size())) > 0) {
    for (const char* at = buffer.data(); at < buffer.data() + got;) {
      const auto* event = reinterpret_cast<const inotify_event*>(at);
      at += sizeof(inotify_event) + event->len;
      const bool lost_some = (event->mask & IN_Q_OVERFLOW) != 0;
      const bool ours = event->wd == watch_ && event->len != 0 && name_ == event->name;
      if (!lost_some && !ours) continue;
      closed_ = (event->mask & (IN_CLOSE_WRITE | IN_MOVED_TO)) != 0;
      settles_ = lost_some;
      changed = true;
    }
  }
  return changed;
}

bool FollowedFile::look(int milliseconds) {
  pollfd events{inotify_, POLLIN, 0};
  const int ready = poll(&events, 1, milliseconds);
  if (ready < 0 && errno != EINTR)
    throw Stop(kFailed, fmt::format("cannot wait: {}", std::strerror(errno)));
  const bool notified = ready > 0 && take_events();
  watch();
  const auto now = identity_of(path_);
  if (notified || now == file_) {
    file_ = now;
    const bool settled = !notified && ready == 0 && milliseconds >= kLookMs && settles_;
    if (settled) closed_ = !(settles_ = false);
    return notified || settled;
  }
  file_ = now;
  closed_ = false;
  settles_ = true;
  return true;
}

void FollowedFile::wait_for_change() {
  while (!changed_) changed_ = look(kLookMs);
  changed_ = false;
  // Several writes are one change. The wait for a pause is limited.
  constexpr int kQuietMs = 50, kMostLooks = 40;
  for (int i = 0; i < kMostLooks && look(kQuietMs); ++i) {
  }
}

bool FollowedFile::is_all() {
  const bool is_done = !has_writer().value_or(!closed_);
  changed_ = look(0) || changed_;
  return is_done && !changed_;
}

// The kernel grants a read lease on a file that nobody has open for writing. A process that then
// opens it for writing waits until the lease is returned, which is at once, and the holder gets a
// signal, which is ignored.
std::optional<bool> FollowedFile::has_writer() const {
  const int file = open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return {};
  std::optional<bool> has;
  if (fcntl(file, F_SETSIG, SIGURG) == 0) {
    if (fcntl(file, F_SETLEASE, F_RDLCK) == 0) {
      has = false;
      fcntl(file, F_SETLEASE, F_UNLCK);
    } else if (errno == EAGAIN) {
      has = true;
    }
  }
  close(file);
  return has;
}

void end_on_signals() {
  struct sigaction ends {};
  // Also in the middle of an import: the next import of the file completes it.
  ends.sa_handler = [](int) { _exit(kDone); };
  sigaction(SIGTERM, &ends, nullptr);
  sigaction(SIGINT, &ends, nullptr);
}

}  // namespace hebb::cli
