// The sockets that a server listens on, and what systemd is told.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace hebb::serve {

struct Address {
  std::string socket;              // a unix socket's path; else
  std::string host = "127.0.0.1";  // an IPv4 or IPv6 address
  int port = 7433;                 // 0: any that is free
};

struct Listening {
  int fd = -1;
  std::string name;  // "127.0.0.1:7433", "[::1]:7433", "unix:/run/hebb"
};

// What systemd has opened for this process (LISTEN_FDS); empty: nothing.
std::vector<Listening> inherited_sockets();
// Listens. A unix socket is made with mode 0600, and what a server that is gone has left there is
// replaced. Throws std::runtime_error that says why it cannot.
Listening listen_on(const Address& address);
bool is_loopback(const std::string& host);

// Sends "READY=1" and the like to $NOTIFY_SOCKET, where there is one.
void notify_manager(std::string_view state);

}  // namespace hebb::serve
