#include "serve/sockets.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace hebb::serve {

namespace {

constexpr int kFirstInherited = 3;
constexpr int kBacklog = 511;

[[noreturn]] void fail(const std::string& what, const std::string& where) {
  throw std::runtime_error(fmt::format("cannot {} {}: {}", what, where, std::strerror(errno)));
}

sockaddr_un unix_address(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) {
    errno = ENAMETOOLONG;
    fail("listen on", path);
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

// Whether a server accepts connections at that address.
bool answers(const sockaddr_un& address) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const bool connected =
      ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(fd);
  return connected;
}

Listening listen_on_unix(const std::string& path) {
  const sockaddr_un address = unix_address(path);
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0 && S_ISSOCK(status.st_mode)) {
    if (answers(address)) {
      errno = EADDRINUSE;
      fail("listen on", path);
    }
    ::unlink(path.c_str());
  }
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  // With this mask bind() makes the socket with mode 0600, so that no other user can ever connect.
  const mode_t before = ::umask(0177);
  const int bound = ::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  const int error = errno;
  ::umask(before);
  errno = error;
  if (bound != 0 || ::listen(fd, kBacklog) != 0) fail("listen on", path);
  if (::lstat(path.c_str(), &status) != 0) status.st_ino = 0;
  return {fd, "unix:" + path, status.st_ino};
}

std::string name_of(int fd) {
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&storage), &size) != 0) return {};
  char text[INET6_ADDRSTRLEN] = {};
  if (storage.ss_family == AF_INET) {
    const auto& a = reinterpret_cast<const sockaddr_in&>(storage);
    ::inet_ntop(AF_INET, &a.sin_addr, text, sizeof text);
    return fmt::format("{}:{}", text, ntohs(a.sin_port));
  }
  if (storage.ss_family == AF_INET6) {
    const auto& a = reinterpret_cast<const sockaddr_in6&>(storage);
    ::inet_ntop(AF_INET6, &a.sin6_addr, text, sizeof text);
    return fmt::format("[{}]:{}", text, ntohs(a.sin6_port));
  }
  return "unix:inherited";
}

Listening listen_on_tcp(const std::string& host, int port) {
  sockaddr_in four{};
  sockaddr_in6 six{};
  const sockaddr* address = nullptr;
  socklen_t size = 0;
  if (::inet_pton(AF_INET, host.c_str(), &four.sin_addr) == 1) {
    four.sin_family = AF_INET;
    four.sin_port = htons(static_cast<std::uint16_t>(port));
    address = reinterpret_cast<const sockaddr*>(&four);
    size = sizeof four;
  } else if (::inet_pton(AF_INET6, host.c_str(), &six.sin6_addr) == 1) {
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(static_cast<std::uint16_t>(port));
    address = reinterpret_cast<const sockaddr*>(&six);
    size = sizeof six;
  } else {
    throw std::runtime_error(fmt::format("\"{}\" is no IPv4 or IPv6 address to listen on", host));
  }
  const int fd = ::socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int on = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(fd, address, size) != 0 || ::listen(fd, kBacklog) != 0)
    fail("listen on", fmt::format("{} port {}", host, port));
  return {fd, name_of(fd), 0};
}

}  // namespace

bool is_loopback(const std::string& host) { return host.starts_with("127.") || host == "::1"; }

std::string host_of(const std::string& name) {
  const std::string host = name.substr(0, name.rfind(':'));
  const bool six = host.size() > 2 && host.front() == '[' && host.back() == ']';
  return six ? host.substr(1, host.size() - 2) : host;
}

void remove_socket(const Listening& listening) {
  constexpr std::string_view kUnix = "unix:";
  if (listening.inode == 0) return;
  const std::string path = listening.name.substr(kUnix.size());
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || status.st_ino != listening.inode) return;
  ::unlink(path.c_str());
}

std::vector<Listening> inherited_sockets() {
  const char* pid = std::getenv("LISTEN_PID");
  const char* count = std::getenv("LISTEN_FDS");
  std::vector<Listening> sockets;
  if (!pid || !count || std::atol(pid) != ::getpid()) return sockets;
  for (int fd = kFirstInherited; fd < kFirstInherited + std::atoi(count); ++fd) {
    int listening = 0;
    socklen_t size = sizeof listening;
    if (::getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) != 0 || !listening)
      throw std::runtime_error(fmt::format("descriptor {} of LISTEN_FDS does not listen", fd));
    ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
    sockets.push_back({fd, name_of(fd), 0});
  }
  return sockets;
}

Listening listen_on(const Address& address) {
  return address.socket.empty() ? listen_on_tcp(address.host, address.port)
                                : listen_on_unix(address.socket);
}

void notify_manager(std::string_view state) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t length = path ? std::strlen(path) : 0;
  if (length == 0 || length >= sizeof address.sun_path) return;
  std::memcpy(address.sun_path, path, length);
  if (path[0] == '@') address.sun_path[0] = '\0';
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  ::sendto(fd, state.data(), state.size(), MSG_NOSIGNAL,
           reinterpret_cast<const sockaddr*>(&address),
           static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + length));
  ::close(fd);
}

}  // namespace hebb::serve
