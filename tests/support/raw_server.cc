#include "tests/support/raw_server.h"

#include <stdexcept>
#include <utility>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "text/ascii.h"

namespace hebb::test {
namespace {

enum class Got { whole, head, nothing };

// The next request of a connection; nothing at its end.
Got read_request(int fd, const std::function<bool(const Heard&)>& reads, std::string& buffer,
                 Heard& heard) {
  const auto more = [&] {
    char bytes[65536];
    const ssize_t got = read(fd, bytes, sizeof bytes);
    if (got > 0) buffer.append(bytes, static_cast<std::size_t>(got));
    return got > 0;
  };
  std::size_t end = 0;
  while ((end = buffer.find("\r\n\r\n")) == std::string::npos) {
    if (!more()) return Got::nothing;
  }
  heard = {};
  std::string_view head(buffer.data(), end);
  const std::size_t space = head.find(' ');
  heard.method = head.substr(0, space);
  heard.path = head.substr(space + 1, head.find(' ', space + 1) - space - 1);
  for (std::size_t at = head.find("\r\n"); at != std::string_view::npos;) {
    const std::size_t next = head.find("\r\n", at + 2);
    const std::string_view line = head.substr(at + 2, next == head.npos ? next : next - at - 2);
    const std::size_t colon = line.find(": ");
    heard.headers[to_lower(line.substr(0, colon))] = line.substr(colon + 2);
    at = next;
  }
  if (reads && !reads(heard)) return Got::head;
  const std::string length = heard.header("content-length");
  const std::size_t size = length.empty() ? 0 : std::stoul(length);
  while (buffer.size() < end + 4 + size) {
    if (!more()) return Got::nothing;
  }
  heard.body = buffer.substr(end + 4, size);
  buffer.erase(0, end + 4 + size);
  return Got::whole;
}

}  // namespace

bool Wire::send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void Wire::answer(int status, std::string_view type, std::string_view body,
                  std::string_view headers) const {
  const std::string content = type.empty() ? "" : fmt::format("Content-Type: {}\r\n", type);
  send(fmt::format("HTTP/1.1 {} Status\r\n{}Content-Length: {}\r\n{}\r\n{}", status, content,
                   body.size(), headers, body));
}

void Wire::begin_events(std::string_view headers) const {
  send(
      fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                  "Transfer-Encoding: chunked\r\n{}\r\n",
                  headers));
}

void Wire::chunk(std::string_view bytes) const {
  send(fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes));
}

void Wire::event(std::string_view data, std::string_view id) const {
  const std::string line = id.empty() ? "" : fmt::format("id: {}\n", id);
  chunk(fmt::format("{}data: {}\n\n", line, data));
}

void Wire::cut() { shutdown(fd_, SHUT_RDWR); }

void Wire::wait_closed() const {
  char byte = 0;
  while (recv(fd_, &byte, 1, 0) > 0) {
  }
}

RawServer::RawServer(Handler handler, std::function<bool(const Heard&)> reads)
    : handler_(std::move(handler)), reads_(std::move(reads)) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  const bool listens = bind(listener_, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                       listen(listener_, 64) == 0 &&
                       getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  if (!listens) throw std::runtime_error("cannot listen");
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] {
    int fd = -1;
    while ((fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC)) >= 0) {
      const std::lock_guard lock(mutex_);
      open_.push_back(fd);
      threads_.emplace_back([this, fd] { serve(fd); });
    }
  });
}

RawServer::~RawServer() {
  shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  close(listener_);
  for (const int fd : open_) shutdown(fd, SHUT_RDWR);
  for (std::thread& thread : threads_) thread.join();
  for (const int fd : open_) close(fd);
}

void RawServer::serve(int fd) {
  std::string buffer;
  Heard heard;
  Wire wire(fd);
  for (Got got = Got::whole; got == Got::whole;) {
    got = read_request(fd, reads_, buffer, heard);
    if (got == Got::nothing) return;
    {
      const std::lock_guard lock(mutex_);
      heard_.push_back(heard);
    }
    handler_(heard, wire);
  }
}

std::string RawServer::address() const { return fmt::format("127.0.0.1:{}", port_); }
std::string RawServer::url(std::string_view path) const {
  return fmt::format("http://{}{}", address(), path);
}

std::size_t RawServer::connections() const {
  const std::lock_guard lock(mutex_);
  return open_.size();
}

std::vector<Heard> RawServer::heard() const {
  const std::lock_guard lock(mutex_);
  return heard_;
}

std::vector<std::string> RawServer::bodies(const std::string& method) const {
  std::vector<std::string> found;
  for (const Heard& one : heard()) {
    if (one.method == method) found.push_back(one.body);
  }
  return found;
}

}  // namespace hebb::test
