#include "tests/support/proxy.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hebb::test {
namespace {

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

int connected_to(int port) {
  const sockaddr_in address = loopback(port);
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return fd;
  ::close(fd);
  return -1;
}

void send_at_once(int fd) {
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

}  // namespace

Proxy::Proxy(int server_port) : server_port_(server_port) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  wake_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  const bool listens = bind(listener_, reinterpret_cast<sockaddr*>(&address), size) == 0 &&
                       listen(listener_, 64) == 0 &&
                       getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) == 0;
  if (!listens || wake_ < 0) throw std::runtime_error("cannot listen");
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

Proxy::~Proxy() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake();
  thread_.join();
  for (Link& link : links_) close(link);
  ::close(listener_);
  ::close(wake_);
}

std::string Proxy::url(const std::string& database) const {
  return fmt::format("postgresql://postgres@127.0.0.1:{}/{}", port_, database);
}

void Proxy::wake() const { eventfd_write(wake_, 1); }

void Proxy::set(Rule rule) {
  {
    const std::lock_guard lock(mutex_);
    rule_ = std::move(rule);
  }
  wake();
}

void Proxy::pass() { set({}); }

void Proxy::delay(std::chrono::milliseconds each_way) {
  Rule rule;
  rule.delay = each_way;
  set(std::move(rule));
}

void Proxy::swallow() {
  Rule rule;
  rule.kind = Rule::Kind::swallow;
  set(std::move(rule));
}

void Proxy::cut_after(To to, std::size_t bytes) {
  Rule rule;
  rule.kind = Rule::Kind::after_bytes;
  rule.to = to;
  rule.left = bytes;
  set(std::move(rule));
}

void Proxy::cut_at(const std::string& bytes, When when, Then then) {
  Rule rule;
  rule.kind = Rule::Kind::at_bytes;
  rule.bytes = bytes;
  rule.when = when;
  rule.then = then;
  set(std::move(rule));
}

void Proxy::cut() {
  {
    const std::lock_guard lock(mutex_);
    for (Link& link : links_) close(link);
  }
  wake();
}

// --- its thread ----------------------------------------------------------------------------------

void Proxy::close(Link& link) {
  if (std::exchange(link.closed, true)) return;
  ::close(link.to_server.from);
  ::close(link.to_server.to);
}

void Proxy::serve() {
  while (wait()) {
    const std::lock_guard lock(mutex_);
    for (Link& link : links_) {
      for (Way* const way : {&link.to_server, &link.to_client}) {
        if (!link.closed) read_from(link, *way);
        if (!link.closed) write_to(link, *way);
      }
    }
    links_.remove_if([](const Link& link) { return link.closed; });
  }
}

bool Proxy::wait() {
  std::vector<pollfd> fds{{wake_, POLLIN, 0}, {listener_, POLLIN, 0}};
  auto due = Clock::time_point::max();
  {
    const std::lock_guard lock(mutex_);
    if (ending_) return false;
    links_.remove_if([](const Link& link) { return link.closed; });
    const auto now = Clock::now();
    for (const Link& link : links_) {
      for (const Way* const way : {&link.to_server, &link.to_client}) {
        if (!way->ended) fds.push_back({way->from, POLLIN, 0});
        if (way->waiting.empty()) continue;
        if (way->waiting.front().due <= now) {
          fds.push_back({way->to, POLLOUT, 0});
        } else {
          due = std::min(due, way->waiting.front().due);
        }
      }
    }
  }
  int timeout = -1;
  if (due != Clock::time_point::max()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(due - Clock::now()).count();
    timeout = std::max(0, static_cast<int>(left));
  }
  poll(fds.data(), fds.size(), timeout);
  eventfd_t ignored = 0;
  eventfd_read(wake_, &ignored);
  if (fds[1].revents != 0) accept_one();
  return true;
}

void Proxy::accept_one() {
  const int client = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (client < 0) return;
  ++connections_;
  const int server = connected_to(server_port_);
  if (server < 0) {
    ::close(client);
    return;
  }
  send_at_once(client);
  send_at_once(server);
  const std::lock_guard lock(mutex_);
  Link& link = links_.emplace_back();
  link.to_server.from = link.to_client.to = client;
  link.to_server.to = link.to_client.from = server;
}

void Proxy::read_from(Link& link, Way& way) {
  std::array<char, 65536> buffer;
  while (!way.ended && !link.closed) {
    const ssize_t got = recv(way.from, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (got <= 0) {
      way.ended = true;
    } else {
      apply(link, way, std::string(buffer.data(), static_cast<std::size_t>(got)));
    }
  }
}

// Before: cuts. After: the next bytes of the server are the answer that is lost.
bool Proxy::at_bytes(Link& link, const std::string& bytes) {
  link.tail += bytes;
  if (link.tail.find(rule_.bytes) != std::string::npos) {
    const bool after = rule_.when == When::after;
    link.answer_lost = after;
    link.then = rule_.then;
    rule_ = {};
    return !after;
  }
  const std::size_t keep = rule_.bytes.empty() ? 0 : rule_.bytes.size() - 1;
  if (link.tail.size() > keep) link.tail.erase(0, link.tail.size() - keep);
  return false;
}

void Proxy::apply(Link& link, Way& way, std::string bytes) {
  const bool to_server = &way == &link.to_server;
  if (rule_.kind == Rule::Kind::swallow) return;
  bool cut = !to_server && link.answer_lost;
  if (to_server && rule_.kind == Rule::Kind::at_bytes) cut = at_bytes(link, bytes);
  if (cut) {
    if (link.then == Then::swallow) rule_.kind = Rule::Kind::swallow;
    ++cuts_;
    return close(link);
  }
  const bool counted =
      rule_.kind == Rule::Kind::after_bytes && (rule_.to == To::server) == to_server;
  const bool last = counted && bytes.size() >= rule_.left;
  if (last) bytes.resize(rule_.left);
  if (counted) rule_.left -= bytes.size();
  way.waiting.push_back({Clock::now() + rule_.delay, std::move(bytes)});
  if (!last) return;
  rule_ = {};
  ++cuts_;
  write_to(link, way);
  close(link);
}

void Proxy::write_to(Link& link, Way& way) {
  while (!way.waiting.empty() && way.waiting.front().due <= Clock::now()) {
    std::string& bytes = way.waiting.front().bytes;
    const ssize_t sent = send(way.to, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (sent < 0) return close(link);
    bytes.erase(0, static_cast<std::size_t>(sent));
    if (bytes.empty()) way.waiting.pop_front();
  }
  const bool silent = rule_.kind == Rule::Kind::swallow;
  if (way.ended && way.waiting.empty() && !silent) close(link);
}

}  // namespace hebb::test
