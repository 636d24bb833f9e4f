#include "serve/sockets.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/datagram_protocol.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace hebb::serve {

namespace {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;
using Unix = asio::local::stream_protocol;

constexpr int kFirstInherited = 3;
constexpr int kBacklog = 511;
constexpr std::string_view kUnix = "unix:";

[[noreturn]] void fail(const std::string& where, int error) {
  throw std::runtime_error(fmt::format("cannot listen on {}: {}", where, std::strerror(error)));
}

template <class Endpoint>
int socket_of(const Endpoint& at, int flags = 0) {
  return ::socket(at.protocol().family(), SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
}

// Whether a server accepts connections at that address.
bool answers(const Unix::endpoint& at) {
  const int fd = socket_of(at);
  const bool connected = ::connect(fd, at.data(), static_cast<socklen_t>(at.size())) == 0;
  ::close(fd);
  return connected;
}

// -1, and errno: it cannot.
template <class Endpoint>
int listen_at(const Endpoint& at) {
  const int fd = socket_of(at, SOCK_NONBLOCK);
  const int on = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(fd, at.data(), static_cast<socklen_t>(at.size())) != 0) return -1;
  return ::listen(fd, kBacklog) == 0 ? fd : -1;
}

Listening listen_on_unix(const std::string& path) {
  Unix::endpoint at;
  try {
    at.path(path);
  } catch (const boost::system::system_error& e) {
    fail(path, e.code().value());
  }
  struct stat status {};
  if (::lstat(path.c_str(), &status) == 0 && S_ISSOCK(status.st_mode)) {
    if (answers(at)) fail(path, EADDRINUSE);
    ::unlink(path.c_str());
  }
  // With this mask bind() makes the socket with mode 0600, so that no other user can ever connect.
  const mode_t before = ::umask(0177);
  const int fd = listen_at(at);
  const int error = errno;
  ::umask(before);
  if (fd < 0) fail(path, error);
  if (::lstat(path.c_str(), &status) != 0) status.st_ino = 0;
  return {fd, std::string(kUnix) + path, "", status.st_ino};
}

Listening listening_on(int fd) {
  Tcp::endpoint at;
  auto size = static_cast<socklen_t>(at.capacity());
  if (::getsockname(fd, at.data(), &size) != 0) fail(fmt::format("descriptor {}", fd), errno);
  const int family = at.data()->sa_family;
  if (family != AF_INET && family != AF_INET6) return {fd, "unix:inherited", "", 0};
  const std::string host = at.address().to_string();
  const bool six = family == AF_INET6;
  return {fd, fmt::format("{}{}{}:{}", six ? "[" : "", host, six ? "]" : "", at.port()), host, 0};
}

Listening listen_on_tcp(const std::string& host, int port) {
  boost::system::error_code no_address;
  const auto address = asio::ip::make_address(host, no_address);
  if (no_address)
    throw std::runtime_error(fmt::format("\"{}\" is no IPv4 or IPv6 address to listen on", host));
  const int fd = listen_at(Tcp::endpoint(address, static_cast<std::uint16_t>(port)));
  if (fd < 0) fail(fmt::format("{} port {}", host, port), errno);
  return listening_on(fd);
}

}  // namespace

void remove_socket(const Listening& listening) {
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
    sockets.push_back(listening_on(fd));
  }
  return sockets;
}

Listening listen_on(const Address& address) {
  return address.socket.empty() ? listen_on_tcp(address.host, address.port)
                                : listen_on_unix(address.socket);
}

void notify_manager(std::string_view state) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  std::string name = path ? path : "";
  if (name.empty()) return;
  if (name[0] == '@') name[0] = '\0';
  asio::local::datagram_protocol::endpoint at;
  try {
    at.path(name);
  } catch (const boost::system::system_error&) {  // it is too long for a socket
    return;
  }
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  ::sendto(fd, state.data(), state.size(), MSG_NOSIGNAL, at.data(),
           static_cast<socklen_t>(at.size()));
  ::close(fd);
}

}  // namespace hebb::serve
