#include "tests/serve/server.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hebb::test {

void write_all(int fd, const std::string& bytes) {
  for (std::size_t at = 0; at < bytes.size();) {
    const auto sent = ::send(fd, bytes.data() + at, bytes.size() - at, MSG_NOSIGNAL);
    if (sent <= 0) return;  // it has closed already, and what it said can be read
    at += static_cast<std::size_t>(sent);
  }
}

int connect_to(int port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    throw std::runtime_error("cannot connect");
  return fd;
}

std::string read_all(int fd) {
  std::string out;
  char buffer[65536];
  for (ssize_t got = 0; (got = ::recv(fd, buffer, sizeof buffer, 0)) > 0;)
    out.append(buffer, static_cast<std::size_t>(got));
  return out;
}

namespace {

std::string request_to(int port, const std::string& method, const std::string& target,
                       const std::string& headers, const std::string& body) {
  const std::string length = "Content-Length: " + std::to_string(body.size()) + "\r\n";
  return method + " " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) + "\r\n" +
         headers + (body.empty() ? "" : length) + "\r\n" + body;
}

std::string send_to(int port, const std::string& bytes) {
  const int fd = connect_to(port);
  write_all(fd, bytes);
  const std::string out = read_all(fd);
  ::close(fd);
  return out;
}

}  // namespace

std::string ask_at(int port, const std::string& method, const std::string& target,
                   const std::string& headers, const std::string& body) {
  return send_to(port, request_to(port, method, target, "Connection: close\r\n" + headers, body));
}

// --- Server --------------------------------------------------------------------------------------

Server::Server(std::vector<std::string> options) : options_(std::move(options)) {
  if (hebb({"init"}).exit_code != 0) throw std::runtime_error("no database");
  start();
}

void Server::start() {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::vector<std::string> words{HEBB_BINARY, "--db", db(), "serve", "--port", "0"};
  words.insert(words.end(), options_.begin(), options_.end());
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  child_ = ::fork();
  if (child_ == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  std::string line;
  for (char c = 0; ::read(ends[0], &c, 1) == 1 && c != '\n';) line += c;
  const auto colon = line.rfind(':');
  if (line.find("listening") == std::string::npos || colon == std::string::npos)
    throw std::runtime_error("the server said: " + line);
  port_ = std::stoi(line.substr(colon + 1));
  log_ += line + "\n";
  reader_ = std::thread([this, fd = ends[0]] {
    char buffer[65536];
    for (ssize_t got = 0; (got = ::read(fd, buffer, sizeof buffer)) > 0;)
      log_.append(buffer, static_cast<std::size_t>(got));
    ::close(fd);
  });
}

Server::~Server() {
  if (child_ > 0) stop();
}

int Server::end(int signal) {
  ::kill(child_, signal);
  int status = 0;
  ::waitpid(child_, &status, 0);
  child_ = -1;
  reader_.join();
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

namespace {

// The number of that place in /proc/PID/statm, in bytes.
std::int64_t statm(pid_t process, int place) {
  std::ifstream status("/proc/" + std::to_string(process) + "/statm");
  std::int64_t pages = 0;
  for (int i = 0; i <= place; ++i) status >> pages;
  return pages * ::sysconf(_SC_PAGESIZE);
}

}  // namespace

std::size_t Server::descriptors() const {
  std::filesystem::directory_iterator all("/proc/" + std::to_string(child_) + "/fd");
  return static_cast<std::size_t>(std::distance(all, std::filesystem::directory_iterator()));
}

std::int64_t Server::memory() const { return statm(child_, 1); }

void Server::limit_memory(std::int64_t bytes) const {
  rlimit limit{RLIM_INFINITY, RLIM_INFINITY};
  if (bytes >= 0) limit.rlim_cur = static_cast<rlim_t>(statm(child_, 0) + bytes);
  if (::prlimit(child_, RLIMIT_AS, &limit, nullptr) != 0) throw std::runtime_error("no prlimit");
}

bool Server::is_there() const { return ::waitpid(child_, nullptr, WNOHANG) == 0; }

int Server::stop() { return end(SIGTERM); }
void Server::kill() { end(SIGKILL); }

const std::string& Server::log() {
  if (child_ > 0) throw std::logic_error("its log is complete when it has stopped");
  return log_;
}

ProcessResult Server::hebb(std::vector<std::string> arguments, const std::string& in) const {
  std::vector<std::string> words{HEBB_BINARY, "--db", db()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  ProcessOptions options;
  options.in = in;
  return run_process(words, options);
}

int Server::connect() const { return connect_to(port_); }

std::string Server::send(const std::string& bytes) const { return send_to(port_, bytes); }

std::string Server::request(const std::string& method, const std::string& target,
                            const std::string& headers, const std::string& body) const {
  return request_to(port_, method, target, "Connection: close\r\n" + headers, body);
}

std::string Server::ask(const std::string& method, const std::string& target,
                        const std::string& headers, const std::string& body) const {
  return ask_at(port_, method, target, headers, body);
}

int status_of(const std::string& answer) {
  return answer.starts_with("HTTP/1.1 ") ? std::stoi(answer.substr(9, 3)) : 0;
}

std::string body_of(const std::string& answer) {
  const auto end = answer.find("\r\n\r\n");
  return end == std::string::npos ? "" : answer.substr(end + 4);
}

Json json_of(const std::string& answer) { return Json::parse(body_of(answer)); }

std::vector<Json> talk(const Folder& folder, const std::string& in) {
  ProcessOptions options;
  options.in = in;
  const auto run = run_process({HEBB_BINARY, "--db", folder.file("t.db"), "mcp"}, options);
  if (run.exit_code != 0 || (!run.out.empty() && !run.out.ends_with('\n')))
    throw std::runtime_error("hebb mcp has failed: " + run.err);
  std::vector<Json> replies;
  std::istringstream lines(run.out);
  for (std::string line; std::getline(lines, line);) replies.push_back(Json::parse(line));
  return replies;
}

std::string rpc(const std::string& method, const Json& params) {
  return Json{{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", params}}.dump();
}

Json history_node(const std::string& id, int at, const std::string& name) {
  return {{"kind", "node"}, {"at", 1767225600000 + at}, {"id", id},
          {"type", "TASK"}, {"state", "OPEN"},          {"name", name}};
}

void add_task(const Server& server, const std::string& id, const std::string& name) {
  const Json node{{"type", "TASK"}, {"state", "OPEN"}, {"name", name}};
  const auto answer = server.ask("PUT", "/v1/nodes/" + id, kJson, node.dump());
  if (status_of(answer) != 200) throw std::runtime_error("not made: " + answer);
}

std::string header_of(const std::string& answer, const std::string& name) {
  const std::string head = answer.substr(0, answer.find("\r\n\r\n") + 2);
  const auto at = head.find("\r\n" + name + ": ");
  if (at == std::string::npos) return "";
  const auto begin = at + name.size() + 4;
  return head.substr(begin, head.find("\r\n", begin) - begin);
}

std::int64_t applied(const std::string& answer) {
  if (status_of(answer) != 200) throw std::runtime_error("not taken: " + answer);
  return json_of(answer).at("applied").get<std::int64_t>();
}

// --- EventStream ---------------------------------------------------------------------------------

EventStream::EventStream(const Server& server, const std::string& target,
                         const std::string& headers)
    : fd_(server.connect()) {
  // A test that waits for what does not come is to fail, not to hang.
  const timeval patience{30, 0};
  ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  write_all(fd_, request_to(server.port(), "GET", target, headers, ""));
  const std::string status = line();
  if (!status.starts_with("HTTP/1.1 200")) throw std::runtime_error("no stream: " + status);
  bool is_stream = false;
  for (std::string header; !(header = line()).empty();)
    is_stream = is_stream || header == "Content-Type: text/event-stream";
  if (!is_stream) throw std::runtime_error("not a stream of events");
}

EventStream::~EventStream() { ::close(fd_); }

// Without its CR and LF.
std::string EventStream::line() {
  while (true) {
    const auto end = buffer_.find('\n');
    if (end != std::string::npos) {
      std::string out = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      if (out.ends_with('\r')) out.pop_back();
      return out;
    }
    char bytes[4096];
    const auto got = ::recv(fd_, bytes, sizeof bytes, 0);
    if (got <= 0) {
      ended_ = true;
      return "";
    }
    buffer_.append(bytes, static_cast<std::size_t>(got));
  }
}

EventStream::Event EventStream::next() {
  Event event;
  while (true) {
    const std::string text = line();
    if (ended_) return {"", "end", ""};
    if (text.empty()) {
      if (!event.data.empty()) return event;
      event = {};
    }
    if (text.starts_with("id: ")) event.id = text.substr(4);
    if (text.starts_with("event: ")) event.name = text.substr(7);
    if (text.starts_with("data: ")) event.data += text.substr(6);
  }
}

EventStream::Event EventStream::next(const std::string& name) {
  while (true) {
    Event event = next();
    if (event.name == name || event.name == "end") return event;
  }
}

}  // namespace hebb::test
