#include "serve/mcp/stdio.h"

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include <poll.h>
#include <unistd.h>

#include "api/problem.h"
#include "serve/mcp/answer.h"
#include "serve/memory.h"

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

void Lines::drop() {
  const auto end = buffer_.find('\n', searched_);
  skipping_ = end == std::string::npos;
  buffer_.erase(0, skipping_ ? end : end + 1);
  buffer_.shrink_to_fit();
  searched_ = 0;
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

constexpr const char* kNoMemory = "this needs more memory than there is";
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
    auto text = message.dump(-1, ' ', false, Json::error_handler_t::replace);
    text += '\n';
    if (!options_.write(text)) return false;
    give_back_memory(text.size());
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

std::vector<Json> Stdio::replies_to_line(api::Session& session, Subscriptions& subscriptions,
                                         const std::string& line) {
  if (line.find_first_not_of(" \t\r") == std::string::npos) return {};
  Json message;
  try {
    message = api::parse_json(line, "message");
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    return {thrown_reply(nullptr, kParseError)};
  }
  working_on_ = id_of(message);
  try {
    if (auto taken = subscriptions.take(session, message)) return std::move(*taken);
    return replies_to(session, message);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {  // whatever it is, the next message is answered
    return {thrown_reply(id_of(message), kInternalError)};
  }
}

bool Stdio::step(api::Session& session, Subscriptions& subscriptions) {
  std::string line;
  std::vector<Json> out;
  reading_ = true;
  const Lines::Got got = lines_.next(line, subscriptions.empty() ? -1 : options_.look_every_ms);
  reading_ = false;
  if (got == Lines::Got::end) return false;
  if (got == Lines::Got::line) out = replies_to_line(session, subscriptions, line);
  if (got == Lines::Got::too_long)
    out = {error_reply(nullptr, RpcError(kInvalidRequest, "the message is too long"))};
  if (!lines_.kept()) cancelled_.clear();  // for requests that were answered already
  return send(out) && send(changes(session, subscriptions));
}

void Stdio::serve(api::Session& session) {
  Subscriptions subscriptions(std::make_shared<Watched>());
  bool more = true;
  while (more) {
    working_on_ = nullptr;
    try {
      more = step(session, subscriptions);
    } catch (const std::bad_alloc&) {
      session.lacked_memory();
      if (std::exchange(reading_, false)) lines_.drop();
      more = send({error_reply(working_on_, RpcError(kInternalError, kNoMemory))});
    }
  }
}

}  // namespace hebb::serve::mcp
