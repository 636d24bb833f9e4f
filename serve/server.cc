#include "serve/server.h"

#include <chrono>
#include <memory>
#include <stdexcept>

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include "secrets/ascii.h"
#include "serve/hub.h"

namespace hebb::serve {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

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

// Takes connections from one listening socket, again and again.
class Listener {
 public:
  Listener(Hub& hub, int fd) : hub_(hub), descriptor_(hub.io, fd), again_(hub.io) { wait(true); }
  void stop() {
    error_code ignored;
    descriptor_.close(ignored);
    again_.cancel();
  }

 private:
  // Where there was nothing left for a connection, not at once: that would be a busy loop.
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
  if (!given) sockets = {listen_on(address)};
  return sockets;
}

void add_hosts(GuardOptions& guard, const Listening& listening, const ServeOptions& options) {
  const bool unix_socket = listening.host.empty();
  const std::string port = unix_socket ? "" : listening.name.substr(listening.name.rfind(':'));
  guard.hosts.push_back("localhost" + port);
  if (!unix_socket) guard.hosts.push_back(listening.name);
  for (const std::string& host : options.hosts) {
    guard.hosts.push_back(secrets::to_lower(host));
    if (!unix_socket) guard.hosts.push_back(secrets::to_lower(host) + port);
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
  // What a handler throws comes out of run(), which can then be called again.
  while (!hub.guarded([&] { hub.io.run(); })) {
  }
  hub.join();
  for (const Listening& listening : sockets) remove_socket(listening);
}

}  // namespace hebb::serve
