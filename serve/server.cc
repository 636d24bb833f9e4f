#include "serve/server.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/datagram_protocol.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "serve/hub.h"
#include "text/ascii.h"

namespace hebb::serve {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Tcp = asio::ip::tcp;
using Unix = asio::local::stream_protocol;

// --- the sockets to listen on --------------------------------------------------------------------

constexpr int kFirstInherited = 3;
constexpr int kBacklog = 511;
constexpr std::string_view kUnix = "unix:";

struct Listening {
  int fd = -1;
  std::string name;         // "127.0.0.1:7433", "[::1]:7433", "unix:/run/hebb"
  std::string host;         // "127.0.0.1", "::1"; empty: it is a unix socket
  std::uint64_t inode = 0;  // of a unix socket made by this process; 0: there is none
};

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

// The descriptor; -1, with errno, on failure.
template <class Endpoint>
int listen_at(const Endpoint& at) {
  const int fd = socket_of(at, SOCK_NONBLOCK);
  const int on = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(fd, at.data(), static_cast<socklen_t>(at.size())) != 0) return -1;
  return ::listen(fd, kBacklog) == 0 ? fd : -1;
}

// Makes the socket with mode 0600, in place of one that an ended server left behind.
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
  error_code no_address;
  const auto address = asio::ip::make_address(host, no_address);
  if (no_address)
    throw std::runtime_error(fmt::format("\"{}\" is no IPv4 or IPv6 address to listen on", host));
  const int fd = listen_at(Tcp::endpoint(address, static_cast<std::uint16_t>(port)));
  if (fd < 0) fail(fmt::format("{} port {}", host, port), errno);
  return listening_on(fd);
}

// The sockets that systemd has opened for this process (LISTEN_FDS); empty: none.
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

std::vector<Listening> open_sockets(const ServeOptions& options) {
  auto sockets = inherited_sockets();
  const bool given = !sockets.empty();
  const auto& address = options.address;
  if (!given) sockets.push_back({-1, "", address.socket.empty() ? address.host : "", 0});
  for (const Listening& listening : sockets) {
    const std::string& host = listening.host;
    const bool near = host.empty() || host.starts_with("127.") || host == "::1";
    if (near || !options.token.empty()) continue;
    throw std::runtime_error(fmt::format(
        "{} can be reached by others: name a file with a secret, --token-file FILE", host));
  }
  if (!given) {
    sockets = {address.socket.empty() ? listen_on_tcp(address.host, address.port)
                                      : listen_on_unix(address.socket)};
  }
  return sockets;
}

// Removes the socket file, so that nobody finds one without a server, unless another server has
// replaced it.
void remove_socket(const Listening& listening) {
  if (listening.inode == 0) return;
  const std::string path = listening.name.substr(kUnix.size());
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0 || status.st_ino != listening.inode) return;
  ::unlink(path.c_str());
}

// Sends a state such as "READY=1" to $NOTIFY_SOCKET, if that is set.
void notify_manager(std::string_view state) {
  const char* path = std::getenv("NOTIFY_SOCKET");
  std::string name = path ? path : "";
  if (name.empty()) return;
  if (name[0] == '@') name[0] = '\0';
  asio::local::datagram_protocol::endpoint at;
  try {
    at.path(name);
  } catch (const boost::system::system_error&) {  // the path is too long for a socket
    return;
  }
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  ::sendto(fd, state.data(), state.size(), MSG_NOSIGNAL, at.data(),
           static_cast<socklen_t>(at.size()));
  ::close(fd);
}

// --- connections ---------------------------------------------------------------------------------

// Accepts a connection. False: out of descriptors or memory.
bool take(Hub& hub, int listening) {
  sockaddr_storage peer{};
  socklen_t size = sizeof peer;
  const int fd =
      ::accept4(listening, reinterpret_cast<sockaddr*>(&peer), &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0) return errno != EMFILE && errno != ENFILE && errno != ENOMEM && errno != ENOBUFS;
  if (hub.connections.size() >= hub.options.most_connections) {
    ::close(fd);
  } else {
    serve_connection(hub, fd, peer.ss_family == AF_UNSPEC ? AF_UNIX : peer.ss_family);
  }
  return true;
}

// Accepts connections from one listening socket, forever.
class Listener {
 public:
  Listener(Hub& hub, int fd) : hub_(hub), descriptor_(hub.io, fd), again_(hub.io) { wait(true); }
  void stop() {
    error_code ignored;
    descriptor_.close(ignored);
    again_.cancel();
  }

 private:
  // Out of resources: waits before the next try, to avoid a busy loop.
  void wait(bool at_once) {
    const auto then = [this, at_once](error_code ec) {
      if (ec) return;
      bool taken = !at_once;
      if (at_once) hub_.guarded([&] { taken = take(hub_, descriptor_.native_handle()); });
      wait(taken);
    };
    Hub::surely([&] {
      if (at_once) return descriptor_.async_wait(asio::posix::descriptor_base::wait_read, then);
      again_.expires_after(std::chrono::milliseconds(100));
      again_.async_wait(then);
    });
  }

  Hub& hub_;
  asio::posix::stream_descriptor descriptor_;
  asio::steady_timer again_;
};

void add_hosts(GuardOptions& guard, const Listening& listening, const ServeOptions& options) {
  const bool unix_socket = listening.host.empty();
  const std::string port = unix_socket ? "" : listening.name.substr(listening.name.rfind(':'));
  guard.hosts.push_back("localhost" + port);
  if (!unix_socket) guard.hosts.push_back(listening.name);
  for (const std::string& host : options.hosts) {
    guard.hosts.push_back(to_lower(host));
    if (!unix_socket) guard.hosts.push_back(to_lower(host) + port);
  }
}

}  // namespace

void run_server(api::Session& reader, api::Session& writer, const ServeOptions& options) {
  Hub hub(reader, writer, options);
  std::vector<std::unique_ptr<Listener>> listeners;
  hub.guard.token = options.token;
  const auto sockets = open_sockets(options);
  for (const Listening& listening : sockets) {
    add_hosts(hub.guard, listening, options);
    listeners.push_back(std::make_unique<Listener>(hub, listening.fd));
    hub.log({{"level", "info"}, {"listening", listening.name}});
  }
  asio::signal_set signals(hub.io, SIGTERM, SIGINT);
  signals.async_wait([&](error_code ec, int) {
    if (ec) return;
    notify_manager("STOPPING=1");
    hub.log({{"level", "info"}, {"stopping", true}});
    for (auto& listener : listeners) listener->stop();
    hub.stop();
  });
  hub.follow();
  notify_manager("READY=1");
  // An exception of a handler leaves run(), which can then be called again.
  while (!hub.guarded([&] { hub.io.run(); })) {
  }
  hub.join();
  for (const Listening& listening : sockets) remove_socket(listening);
}

}  // namespace hebb::serve
