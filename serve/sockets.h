// The sockets that a server listens on, and messages to systemd.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hebb::serve {

struct Address {
  std::string socket;              // a unix socket's path; else
  std::string host = "127.0.0.1";  // an IPv4 or IPv6 address
  int port = 7433;                 // 0: any free port
};

struct Listening {
  int fd = -1;
  std::string name;         // "127.0.0.1:7433", "[::1]:7433", "unix:/run/hebb"
  std::string host;         // "127.0.0.1", "::1"; empty: it is a unix socket
  std::uint64_t inode = 0;  // of a unix socket that was made here; 0: there is none
};

// The sockets that systemd has opened for this process (LISTEN_FDS); empty: none.
std::vector<Listening> inherited_sockets();
// Starts to listen. A unix socket is made with mode 0600 and replaces one that a server left
// behind. Throws std::runtime_error with the reason if it cannot.
Listening listen_on(const Address& address);
// Of the path that was listened on, so that nobody finds a socket where nobody answers. Not one of
// another server that has replaced it.
void remove_socket(const Listening& listening);

// Sends a state such as "READY=1" to $NOTIFY_SOCKET, if that is set.
void notify_manager(std::string_view state);

}  // namespace hebb::serve
