#include "skill/browser/connection.h"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hebb::skill {
namespace {

constexpr std::size_t kWaiting = std::size_t{64} << 20;  // unsent bytes while a browser hangs
constexpr int kAskEveryMs = 100;                         // how often to call cancelled()

}  // namespace

void Connection::gone() {
  gone_ = true;
  throw BrowserGone("the browser has ended");
}

std::int64_t Connection::queue(const std::string& method, const Json& params,
                               const std::string& session) {
  if (gone_) gone();
  Json message{{"id", ++last_id_}, {"method", method}, {"params", params}};
  if (!session.empty()) message["sessionId"] = session;
  out_ += dump(message);
  out_ += '\0';
  if (out_.size() > kWaiting) throw CdpTimeout("the browser takes no commands");
  write_some();
  return last_id_;
}

void Connection::send(const std::string& method, const Json& params, const std::string& session) {
  queue(method, params, session);
}

Json Connection::call(const std::string& method, const Json& params, const std::string& session,
                      Deadline deadline) {
  return std::move(call_all({{method, params, session}}, deadline).front());
}

std::vector<Json> Connection::call_all(const std::vector<Command>& commands, Deadline deadline) {
  struct Asked {
    std::unordered_map<std::int64_t, std::optional<Message>>& answers;
    std::vector<std::int64_t> ids = {};
    ~Asked() {
      for (const std::int64_t id : ids) answers.erase(id);
    }
  } asked{answers_};
  for (const Command& c : commands) {
    asked.ids.push_back(queue(c.method, c.params, c.session));
    answers_[asked.ids.back()] = std::nullopt;
  }
  std::vector<Json> all;
  std::string refused;
  for (std::size_t i = 0; i < commands.size(); ++i) {
    const Command& c = commands[i];
    while (!answers_.at(asked.ids[i])) {
      if (crashed_.contains(c.session)) throw PageCrashed("the page has crashed");
      if (is_over(deadline)) throw CdpTimeout(fmt::format("{}: no answer in time", c.method));
      poll_once(deadline);
    }
    Message& answer = *answers_.at(asked.ids[i]);
    if (!answer.error.empty() && !c.may_refuse && refused.empty())
      refused = fmt::format("{}: {}", c.method, answer.error);
    all.push_back(std::move(answer.body));
  }
  if (!refused.empty()) throw CdpRefused(refused);
  return all;
}

void Connection::wait(Deadline deadline) {
  if (gone_) gone();
  poll_once(deadline);
}

void Connection::poll_once(Deadline deadline) {
  pollfd fds[2] = {{from_, POLLIN, 0}, {to_, POLLOUT, 0}};
  const nfds_t count = out_.empty() ? 1 : 2;
  if (cancelled_ && cancelled_()) throw Cancelled("the run was cancelled");
  const int wait_ms = ms_left(deadline);
  const int ready = poll(fds, count, cancelled_ ? std::min(wait_ms, kAskEveryMs) : wait_ms);
  if (ready < 0 && errno != EINTR) gone();
  if (ready <= 0) return;
  if (count == 2 && fds[1].revents != 0) write_some();
  if (fds[0].revents != 0) read_some();
}

void Connection::write_some() {
  while (!out_.empty()) {
    const ssize_t n = ::send(to_, out_.data(), out_.size(), MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n < 0) gone();
    out_.erase(0, static_cast<std::size_t>(n));
  }
}

bool Connection::read_some() {
  char bytes[64 << 10];
  const ssize_t n = read(from_, bytes, sizeof bytes);
  if (n < 0 && (errno == EINTR || errno == EAGAIN)) return false;
  if (n <= 0) gone();
  for (Message& m : reader_.feed({bytes, static_cast<std::size_t>(n)})) {
    if (m.id) {
      const auto waiting = answers_.find(*m.id);
      if (waiting != answers_.end()) waiting->second = std::move(m);
    } else {
      if (m.method == "Inspector.targetCrashed") crashed_.insert(m.session);
      if (handler_) handler_(m);
    }
  }
  return true;
}

}  // namespace hebb::skill
