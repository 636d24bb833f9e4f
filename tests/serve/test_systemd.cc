// Started as systemd starts services: a socket that is open already, and a place to say "ready".
#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <catch2/catch.hpp>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/serve/server.h"

using namespace hebb::test;

namespace {

int unix_socket(int type, const std::string& path, bool listens) {
  const int fd = ::socket(AF_UNIX, type, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const auto* name = reinterpret_cast<const sockaddr*>(&address);
  if (listens) {
    REQUIRE(::bind(fd, name, sizeof address) == 0);
  } else {
    REQUIRE(::connect(fd, name, sizeof address) == 0);
  }
  const timeval patience{30, 0};
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  return fd;
}

std::string datagram(int fd) {
  char text[256];
  const auto got = ::recv(fd, text, sizeof text, 0);
  return got < 0 ? "nothing" : std::string(text, static_cast<std::size_t>(got));
}

std::string ask(const std::string& path) {
  const int fd = unix_socket(SOCK_STREAM, path, false);
  write_all(fd, "GET /v1/stats HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  const std::string answer = read_all(fd);
  ::close(fd);
  return answer;
}

// `hebb serve`, which says at `notify` when it is ready. listening: a socket that it inherits.
pid_t start(const Folder& folder, const std::string& notify, std::vector<std::string> options,
            int listening = -1) {
  const std::string db = folder.file("t.db");
  REQUIRE(run_process({HEBB_BINARY, "--db", db, "init"}).exit_code == 0);
  std::vector<std::string> words{HEBB_BINARY, "--db", db, "serve", "--log", "none"};
  words.insert(words.end(), options.begin(), options.end());
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = ::fork();
  if (child != 0) return child;
  if (listening >= 0) {
    ::dup2(listening, 3);
    ::setenv("LISTEN_PID", std::to_string(::getpid()).c_str(), 1);
    ::setenv("LISTEN_FDS", "1", 1);
  }
  ::setenv("NOTIFY_SOCKET", notify.c_str(), 1);
  ::execv(argv[0], argv.data());
  ::_exit(127);
}

// Its exit code.
int end(pid_t child) {
  ::kill(child, SIGTERM);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

TEST_CASE("serve: takes the socket that systemd opened, and tells when it is ready and when not") {
  const Folder folder;
  const std::string path = folder.file("http"), notify = folder.file("notify");
  const int told = unix_socket(SOCK_DGRAM, notify, true);
  const int listening = unix_socket(SOCK_STREAM, path, true);
  REQUIRE(::listen(listening, 8) == 0);
  const pid_t child = start(folder, notify, {}, listening);
  // Who comes before it is ready waits in the socket's queue.
  CHECK(status_of(ask(path)) == 200);
  CHECK(datagram(told) == "READY=1");
  CHECK(end(child) == 0);
  CHECK(datagram(told) == "STOPPING=1");
  struct stat status {};
  CHECK(::lstat(path.c_str(), &status) == 0);  // systemd's own
  ::close(told);
  ::close(listening);
}

TEST_CASE("serve: a unix socket is its owner's, replaces one that nobody answers, and goes again") {
  const Folder folder;
  const std::string path = folder.file("socket"), notify = folder.file("notify");
  ::close(unix_socket(SOCK_STREAM, path, true));  // what a killed server leaves
  const int told = unix_socket(SOCK_DGRAM, notify, true);
  const pid_t child = start(folder, notify, {"--socket", path});
  CHECK(datagram(told) == "READY=1");
  struct stat status {};
  REQUIRE(::lstat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  CHECK(status_of(ask(path)) == 200);
  const auto second =
      run_process({HEBB_BINARY, "--db", folder.file("t.db"), "serve", "--socket", path});
  CHECK(second.exit_code == 1);
  CHECK(second.err.find("in use") != std::string::npos);
  CHECK(status_of(ask(path)) == 200);
  CHECK(end(child) == 0);
  CHECK(::lstat(path.c_str(), &status) != 0);
  ::close(told);
}
