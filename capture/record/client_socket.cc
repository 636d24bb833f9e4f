#include "capture/record/client_socket.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <sys/socket.h>
#include <unistd.h>

namespace hebb::capture {

ClientSocket::~ClientSocket() { ::close(fd_); }

std::optional<std::string> ClientSocket::read_line(const std::function<void()>& too_long) {
  std::string line;
  bool dropped = false;
  for (bool more = true; more;) {
    more = from_ < to_ || fill();
    const std::string_view rest(buffer_.data() + from_, to_ - from_);
    const std::string_view piece = rest.substr(0, rest.find('\n'));
    from_ += std::min(piece.size() + 1, rest.size());
    dropped = dropped || line.size() + piece.size() > kLineBytes;
    if (dropped) {
      std::string().swap(line);  // an assignment would keep its memory
    } else {
      line += piece;
    }
    if (more && piece.size() == rest.size()) continue;
    if (std::exchange(dropped, false)) too_long();
    if (!line.empty()) return line;
  }
  return std::nullopt;
}

bool ClientSocket::fill() {
  buffer_.resize(std::size_t{64} << 10);
  ssize_t got = 0;
  while ((got = read(fd_, buffer_.data(), buffer_.size())) < 0 && errno == EINTR) {
  }
  from_ = 0;
  to_ = got > 0 ? static_cast<std::size_t>(got) : 0;
  return got > 0;
}

bool ClientSocket::write_line(std::string_view line) {
  const std::lock_guard lock(writing_);
  while (!line.empty()) {
    const ssize_t written = ::send(fd_, line.data(), line.size(), MSG_NOSIGNAL);
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) line.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void ClientSocket::end_reading() { shutdown(fd_, SHUT_RD); }
void ClientSocket::end() { shutdown(fd_, SHUT_RDWR); }

}  // namespace hebb::capture
