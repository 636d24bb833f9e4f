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

// Takes connections from one listening socket.
class Listener {
 public:
  Listener(Hub& hub, int fd) : hub_(hub), descriptor_(hub.io, fd), again_(hub.io) { wait(); }
  void stop() {
    error_code ignored;
    descriptor_.close(ignored);
    again_.cancel();
  }

 private:
  void wait() {
    Hub::surely([this] {
      descriptor_.async_wait(asio::posix::stream_descriptor::wait_read, [this](error_code ec) {
        if (ec) return;
        bool taken = false;
        hub_.guarded([&] { taken = take(); });
        if (taken) return wait();
        wait_a_moment();
      });
    });
  }
  // No descriptor is left for the connection. To try again at once would be a busy loop.
  void wait_a_moment() {
    Hub::surely([this] {
      again_.expires_after(std::chrono::milliseconds(100));
      again_.async_wait([this](error_code cancelled) {
        if (!cancelled) wait();
      });
    });
  }

  // Accepts a connection. False: out of descriptors or memory.
  bool take() {
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    const int fd = ::accept4(descriptor_.native_handle(), reinterpret_cast<sockaddr*>(&peer), &size,
                             SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) return errno != EMFILE && errno != ENFILE && errno != ENOMEM && errno != ENOBUFS;
    // Connections beyond the limit are closed at once.
    if (hub_.connections.size() >= hub_.options.most_connections) {
      ::close(fd);
      return true;
    }
    serve_connection(hub_, fd, peer.ss_family == AF_UNSPEC ? AF_UNIX : peer.ss_family);
    return true;
  }

  Hub& hub_;
  asio::posix::stream_descriptor descriptor_;
  asio::steady_timer again_;
};

std::vector<Listening> open_sockets(const ServeOptions& options) {
  auto inherited = inherited_sockets();
  const bool given = !inherited.empty();
  if (!given) inherited.push_back({-1, options.address.host, 0});
  for (const Listening& listening : inherited) {
    const bool unix_socket = given ? listening.name.starts_with("unix:")  //
                                   : !options.address.socket.empty();
    const std::string host = given ? host_of(listening.name) : listening.name;
    if (unix_socket || is_loopback(host) || !options.token.empty()) continue;
    throw std::runtime_error(fmt::format(
        "{} can be reached by others: name a file with a secret, --token-file FILE", host));
  }
  if (given) return inherited;
  return {listen_on(options.address)};
}

void add_hosts(GuardOptions& guard, const Listening& listening, const ServeOptions& options) {
  const auto colon = listening.name.rfind(':');
  const std::string port = listening.name.substr(colon);
  const bool unix_socket = listening.name.starts_with("unix:");
  guard.hosts.push_back(unix_socket ? "localhost" : "localhost" + port);
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
