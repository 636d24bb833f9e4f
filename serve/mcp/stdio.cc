#include "serve/mcp/stdio.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <poll.h>
#include <unistd.h>

#include "api/problem.h"
#include "serve/mcp/answer.h"
#include "serve/mcp/subscriptions.h"

namespace hebb::serve::mcp {

// --- lines ---------------------------------------------------------------------------------------

Lines::Got Lines::next(std::string& line, int timeout_ms) {
  if (!kept_.empty()) {
    const Got got = kept_.front().first;
    line = std::move(kept_.front().second);
    kept_bytes_ -= line.size();
    kept_.pop_front();
    return got;
  }
  while (true) {
    if (const Got got = complete(line); got != Got::nothing) return got;
    const Got got = fill(timeout_ms);
    if (got == Got::end) return last(line);
    if (got != Got::line) return got;
  }
}

Lines::Got Lines::last(std::string& line) {
  if (skipping_ || buffer_.empty()) return Got::end;
  line = std::exchange(buffer_, {});
  searched_ = 0;
  return Got::line;
}

void Lines::look(const std::function<bool(const std::string& line)>& take) {
  std::string line;
  do {
    for (Got got; (got = complete(line)) != Got::nothing;) {
      if (got == Got::line && take(line)) continue;
      if (got == Got::too_long) line.clear();
      kept_bytes_ += line.size();
      kept_.emplace_back(got, std::move(line));
    }
  } while (kept_bytes_ < longest_ && fill(0) == Got::line);
}

Lines::Got Lines::complete(std::string& line) {
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
    if (buffer_.size() <= longest_) return Got::nothing;
    buffer_.clear();
    searched_ = 0;
    if (!std::exchange(skipping_, true)) return Got::too_long;
  }
}

Lines::Got Lines::fill(int timeout_ms) {
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

// --- messages ------------------------------------------------------------------------------------

namespace {

constexpr std::string_view kCancelled = "notifications/cancelled";

// The id of a request; null: it is none.
Json id_of(const Json& message) {
  return message.is_object() && message.contains("id") && is_id(message["id"]) ? message["id"]
                                                                               : Json();
}

// The id that a notification cancels; null: it cancels none.
Json cancelled_by(const Json& message) {
  if (!message.is_object() || message.value("method", Json()) != kCancelled) return {};
  const Json params = message.value("params", Json());
  return params.is_object() ? params.value("requestId", Json()) : Json();
}

std::vector<Json> changes(api::Session& session, Subscriptions& subscriptions) {
  try {
    return subscriptions.changes(session);
  } catch (...) {  // the database is busy or gone: try again at the next look
    return {};
  }
}

}  // namespace

Stdio::Stdio(StdioOptions options)
    : options_(std::move(options)), lines_(options_.in, options_.longest_line) {}

bool Stdio::send(const std::vector<Json>& messages) {
  for (const Json& message : messages) {
    const auto text = message.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
    if (!options_.write(text)) return false;
  }
  return true;
}

// A line that came while a request is worked on. True: nothing is left to do for it.
bool Stdio::take_meanwhile(const std::string& line) {
  Json message;
  try {
    message = api::parse_json(line, "message");
  } catch (...) {
    return false;
  }
  if (const Json id = cancelled_by(message); !id.is_null()) {
    cancelled_.push_back(id);
    return id == working_on_;
  }
  const bool ping = !id_of(message).is_null() && message.value("method", Json()) == "ping" &&
                    !modern_version(message);
  if (ping) send({{{"jsonrpc", "2.0"}, {"id", message["id"]}, {"result", Json::object()}}});
  return ping;
}

bool Stdio::cancelled() {
  lines_.look([this](const std::string& line) { return take_meanwhile(line); });
  pollfd reader{options_.out, 0, 0};
  if (::poll(&reader, 1, 0) > 0 && (reader.revents & (POLLERR | POLLHUP)) != 0) return true;
  return std::find(cancelled_.begin(), cancelled_.end(), working_on_) != cancelled_.end();
}

std::vector<Json> Stdio::replies_to(api::Session& session, const Json& message) {
  working_on_ = id_of(message);
  // Whoever cancels a request expects no answer to it.
  const auto unwanted = [this] {
    return !working_on_.is_null() && std::erase(cancelled_, working_on_) != 0;
  };
  std::vector<Json> out;
  if (unwanted()) return out;
  auto reply = answer(session, message, {.subscribe = true});
  if (reply && !unwanted()) out.push_back(std::move(*reply));
  return out;
}

void Stdio::serve(api::Session& session) {
  Subscriptions subscriptions;
  std::string line;
  const auto replies = [&]() -> std::vector<Json> {
    if (line.find_first_not_of(" \t\r") == std::string::npos) return {};
    Json message;
    try {
      message = api::parse_json(line, "message");
    } catch (...) {
      return {thrown_reply(nullptr, kParseError)};
    }
    try {
      if (auto taken = subscriptions.take(session, message)) return std::move(*taken);
      return replies_to(session, message);
    } catch (...) {  // whatever it is, the next message is answered
      return {thrown_reply(id_of(message), kInternalError)};
    }
  };
  while (true) {
    std::vector<Json> out;
    switch (lines_.next(line, subscriptions.empty() ? -1 : options_.look_every_ms)) {
      case Lines::Got::line:
        out = replies();
        break;
      case Lines::Got::too_long:
        out = {error_reply(nullptr, RpcError(kInvalidRequest, "the message is too long"))};
        break;
      case Lines::Got::nothing:
        break;
      case Lines::Got::end:
        return;
    }
    if (!lines_.kept()) cancelled_.clear();  // for requests that were answered already
    if (!send(out) || !send(changes(session, subscriptions))) return;
  }
}

}  // namespace hebb::serve::mcp
