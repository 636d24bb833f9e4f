#include "cli/follow.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "cli/command.h"

namespace hebb::cli {

FollowedFile::FollowedFile(const std::string& path) {
  const std::filesystem::path file(path);
  name_ = file.filename().string();
  const std::string folder = file.has_parent_path() ? file.parent_path().string() : ".";
  watch_ = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  constexpr std::uint32_t kChanges = IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_ONLYDIR;
  if (watch_ < 0 || inotify_add_watch(watch_, folder.c_str(), kChanges) < 0) {
    const std::string why = std::strerror(errno);
    if (watch_ >= 0) close(watch_);
    throw Stop(kNoFile, fmt::format("cannot watch the folder {}: {}", folder, why));
  }
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGINT);
  sigprocmask(SIG_BLOCK, &ends, nullptr);
  signals_ = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
}

FollowedFile::~FollowedFile() {
  close(watch_);
  close(signals_);
}

FollowedFile::Seen FollowedFile::take_events() {
  Seen seen = Seen::nothing;
  alignas(inotify_event) std::array<char, 16 << 10> buffer;
  ssize_t got = 0;
  while ((got = read(watch_, buffer.data(), buffer.size())) > 0) {
    for (const char* at = buffer.data(); at < buffer.data() + got;) {
      const auto* event = reinterpret_cast<const inotify_event*>(at);
      at += sizeof(inotify_event) + event->len;
      const bool lost_some = (event->mask & IN_Q_OVERFLOW) != 0;
      if (!lost_some && (event->len == 0 || name_ != event->name)) continue;
      closed_ = (event->mask & (IN_CLOSE_WRITE | IN_MOVED_TO)) != 0;
      seen = Seen::change;
    }
  }
  return seen;
}

FollowedFile::Seen FollowedFile::look(int milliseconds) {
  std::array<pollfd, 2> fds{pollfd{signals_, POLLIN, 0}, pollfd{watch_, POLLIN, 0}};
  while (poll(fds.data(), fds.size(), milliseconds) < 0) {
    if (errno != EINTR) throw Stop(kFailed, fmt::format("cannot wait: {}", std::strerror(errno)));
  }
  if (fds[0].revents != 0) return Seen::end;
  return fds[1].revents != 0 ? take_events() : Seen::nothing;
}

bool FollowedFile::wait_for_change() {
  Seen seen = Seen::nothing;
  while (seen == Seen::nothing) seen = look(-1);
  // Several writes are one change. Who never stops writing is not waited for.
  constexpr int kQuietMs = 50, kMostLooks = 40;
  for (int i = 0; i < kMostLooks && seen == Seen::change; ++i) seen = look(kQuietMs);
  return seen != Seen::end;
}

bool FollowedFile::wait(int milliseconds) { return look(milliseconds) != Seen::end; }

std::string_view whole_part(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  if (text[begin] == '[')
    return nlohmann::json::accept(text.substr(begin)) ? text : text.substr(0, 0);
  const std::size_t last = text.rfind('\n') + 1;  // 0: there is one line
  const bool ended = last == text.size() || nlohmann::json::accept(text.substr(last));
  return ended ? text : text.substr(0, last);
}

}  // namespace hebb::cli
