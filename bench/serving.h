// A `hebb serve` of a benchmark's own, and what its clients do.
#pragma once

#include <csignal>
#include <stdexcept>
#include <string_view>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "bench/race.h"

namespace hebb::bench {

// `hebb serve` on a port of its own.
class Serving {
 public:
  explicit Serving(const std::string& db) {
    const Pipe log;
    server_ = ::fork();
    if (server_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGTERM);
      ::dup2(log.ends[1], STDERR_FILENO);
      ::close(log.ends[0]);
      ::execl(HEBB_BINARY, HEBB_BINARY, "--db", db.c_str(), "serve", "--port", "0", nullptr);
      ::_exit(1);
    }
    ::close(log.ends[1]);
    log_ = log.ends[0];
    std::string line;
    char byte = 0;
    while (::read(log_, &byte, 1) == 1 && byte != '\n') line += byte;
    const auto colon = line.rfind(':');
    if (line.find("listening=") == line.npos) {
      fmt::print(stderr, "hebb serve: {}\n", line);
      std::exit(1);
    }
    port_ = std::atoi(line.c_str() + colon + 1);
    reader_ = ::fork();  // or the log would fill the pipe, and the server would wait
    if (reader_ == 0) {
      read_all(log_);
      ::_exit(0);
    }
    ::close(log_);
  }
  ~Serving() {
    ::kill(server_, SIGTERM);
    for (const pid_t child : {server_, reader_}) ::waitpid(child, nullptr, 0);
  }
  Serving(const Serving&) = delete;
  Serving& operator=(const Serving&) = delete;
  int port() const { return port_; }

 private:
  pid_t server_ = 0, reader_ = 0;
  int log_ = -1, port_ = 0;
};

inline int connect_to(int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  if (::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error("connect failed");
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

// Reads one answer with a Content-Length.
inline void read_answer(int fd) {
  constexpr std::string_view kLength = "ontent-Length: ";
  std::string answer;
  char bytes[4096];
  for (std::size_t whole = 0; whole == 0 || answer.size() < whole;) {
    const auto got = ::read(fd, bytes, sizeof bytes);
    if (got <= 0) throw std::runtime_error("the server has closed the connection");
    answer.append(bytes, static_cast<std::size_t>(got));
    const auto body = answer.find("\r\n\r\n");
    if (body == answer.npos) continue;
    const auto length = answer.find(kLength);
    whole = body + 4 + std::strtoul(answer.c_str() + length + kLength.size(), nullptr, 10);
  }
  if (!answer.starts_with("HTTP/1.1 200 ")) throw std::runtime_error(answer);
}

}  // namespace hebb::bench
