#include "serve/mcp/stdio.h"

#include <cerrno>
#include <string>

#include <poll.h>
#include <unistd.h>

#include "api/problem.h"
#include "serve/mcp/answer.h"
#include "serve/mcp/subscriptions.h"

namespace hebb::serve::mcp {

namespace {

// Lines from a file descriptor.
class Lines {
 public:
  enum class Got : std::uint8_t { line, too_long, nothing, end };

  Lines(int fd, std::size_t longest) : fd_(fd), longest_(longest) {}

  // Waits for the next line, at most timeout_ms (-1: for ever).
  Got next(std::string& line, int timeout_ms) {
    while (true) {
      const auto end = buffer_.find('\n', searched_);
      if (end != std::string::npos) {
        line = buffer_.substr(0, end);
        buffer_.erase(0, end + 1);
        searched_ = 0;
        if (std::exchange(skipping_, false)) continue;  // the rest of a line that was too long
        return Got::line;
      }
      searched_ = buffer_.size();
      if (buffer_.size() > longest_) {
        buffer_.clear();
        searched_ = 0;
        if (!std::exchange(skipping_, true)) return Got::too_long;
        continue;
      }
      if (const auto got = fill(timeout_ms); got != Got::line) return got;
    }
  }

 private:
  Got fill(int timeout_ms) {
    pollfd waiting{fd_, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, timeout_ms);
    if (ready == 0) return Got::nothing;
    if (ready < 0) return errno == EINTR ? Got::line : Got::end;
    char bytes[65536];
    const auto got = ::read(fd_, bytes, sizeof bytes);
    if (got < 0 && errno == EINTR) return Got::line;
    if (got <= 0) return Got::end;
    buffer_.append(bytes, static_cast<std::size_t>(got));
    return Got::line;
  }

  int fd_;
  std::size_t longest_;
  std::string buffer_;
  std::size_t searched_ = 0;
  bool skipping_ = false;
};

// The messages to send back for a line.
std::vector<Json> replies_to(api::Session& session, Subscriptions& subscriptions,
                             const std::string& line) {
  if (line.find_first_not_of(" \t\r") == std::string::npos) return {};
  Json message;
  try {
    message = api::parse_json(line, "message");
  } catch (...) {
    const api::Problem problem = api::problem_of(std::current_exception());
    return {error_reply(nullptr, RpcError(kParseError, problem.what()))};
  }
  if (auto replies = subscriptions.take(session, message)) return std::move(*replies);
  auto reply = answer(session, message, {.subscribe = true});
  if (!reply) return {};
  return {std::move(*reply)};
}

std::vector<Json> changes(api::Session& session, Subscriptions& subscriptions) {
  try {
    return subscriptions.changes(session);
  } catch (...) {  // the database is busy or gone: try again at the next look
    return {};
  }
}

}  // namespace

void serve_stdio(api::Session& session, const StdioOptions& options) {
  Lines lines(options.in, options.longest_line);
  Subscriptions subscriptions;
  const auto send = [&](const std::vector<Json>& messages) {
    for (const Json& message : messages) {
      const auto text = message.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
      if (!options.write(text)) return false;
    }
    return true;
  };
  std::string line;
  while (true) {
    std::vector<Json> out;
    switch (lines.next(line, subscriptions.empty() ? -1 : options.look_every_ms)) {
      case Lines::Got::line:
        out = replies_to(session, subscriptions, line);
        break;
      case Lines::Got::too_long:
        out = {error_reply(nullptr, RpcError(kInvalidRequest, "the message is too long"))};
        break;
      case Lines::Got::nothing:
        break;
      case Lines::Got::end:
        return;
    }
    if (!send(out) || !send(changes(session, subscriptions))) return;
  }
}

}  // namespace hebb::serve::mcp
