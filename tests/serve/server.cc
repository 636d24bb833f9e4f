#include "tests/serve/server.h"

#include <csignal>
#include <stdexcept>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hebb::test {

namespace {

void write_all(int fd, const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const auto sent = ::send(fd, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (sent <= 0) return;  // it has closed already, and what it said can be read
    at += static_cast<std::size_t>(sent);
  }
}

std::string read_all(int fd) {
  std::string out;
  char buffer[65536];
  for (ssize_t got = 0; (got = ::recv(fd, buffer, sizeof buffer, 0)) > 0;)
    out.append(buffer, static_cast<std::size_t>(got));
  return out;
}

}  // namespace

Server::Server(const std::vector<std::string>& options) {
  const std::string db = folder_.file("t.db");
  if (run_process({HEBB_BINARY, "--db", db, "init"}).exit_code != 0)
    throw std::runtime_error("no database");
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::vector<std::string> words{HEBB_BINARY, "--db", db, "serve", "--port", "0"};
  words.insert(words.end(), options.begin(), options.end());
  child_ = ::fork();
  if (child_ == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    std::vector<char*> argv;
    for (auto& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  log_ = ends[0];
  std::string line;
  for (char c = 0; ::read(log_, &c, 1) == 1 && c != '\n';) line += c;
  const auto colon = line.rfind(':');
  if (line.find("listening=") == std::string::npos || colon == std::string::npos)
    throw std::runtime_error("the server said: " + line);
  port_ = std::stoi(line.substr(colon + 1));
}

Server::~Server() {
  if (child_ > 0) stop();
  ::close(log_);
}

int Server::stop() {
  ::kill(child_, SIGTERM);
  int status = 0;
  ::waitpid(child_, &status, 0);
  child_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int Server::connect() const {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port_));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error("cannot connect");
  return fd;
}

std::string Server::send(const std::string& bytes) const {
  const int fd = connect();
  write_all(fd, bytes);
  const std::string out = read_all(fd);
  ::close(fd);
  return out;
}

std::string Server::ask(const std::string& method, const std::string& target,
                        const std::string& headers, const std::string& body) const {
  std::string bytes = method + " " + target + " HTTP/1.1\r\nHost: " + host() +
                      "\r\nConnection: close\r\n" + headers;
  if (!body.empty()) bytes += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  return send(bytes + "\r\n" + body);
}

int status_of(const std::string& answer) {
  return answer.starts_with("HTTP/1.1 ") ? std::stoi(answer.substr(9, 3)) : 0;
}

std::string body_of(const std::string& answer) {
  const auto end = answer.find("\r\n\r\n");
  return end == std::string::npos ? "" : answer.substr(end + 4);
}

}  // namespace hebb::test
