#include "serve/mcp/stdio.h"

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include <poll.h>
#include <unistd.h>

#include "serve/mcp/methods.h"

namespace hebb::serve::mcp {

using Is = Line::Is;

// --- lines ---------------------------------------------------------------------------------------

Line Lines::next(int timeout_ms) {
  if (!queue_.empty()) {
    Line line = std::move(queue_.front());
    queued_bytes_ -= line.text.size();
    queue_.pop_front();
    return line;
  }
  while (true) {
    Line line = complete();
    if (line.is != Is::none_yet) return line;
    const Is is = fill(timeout_ms);
    if (is == Is::text) continue;
    if (is != Is::end || skipping_ || buffer_.empty()) return {is};
    searched_ = 0;  // the last line, which has no newline
    return {Is::text, std::exchange(buffer_, {})};
  }
}

void Lines::look(const std::function<bool(Line& line)>& take) {
  do {
    for (Line line; (line = complete()).is != Is::none_yet;) {
      if (line.is == Is::text && take(line)) continue;
      queued_bytes_ += line.text.size();
      queue_.push_back(std::move(line));
    }
  } while (queued_bytes_ < longest_ && fill(0) == Is::text);
}

Line Lines::complete() {
  while (true) {
    const auto end = buffer_.find('\n', searched_);
    if (end != std::string::npos) {
      Line line{Is::text, buffer_.substr(0, end)};
      buffer_.erase(0, end + 1);
      searched_ = 0;
      if (!std::exchange(skipping_, false)) return line;  // the rest of one that was too long
      continue;
    }
    searched_ = buffer_.size();
    if (buffer_.size() <= longest_) return {};
    buffer_.clear();
    searched_ = 0;
    if (!std::exchange(skipping_, true)) return {Is::too_long};
  }
}

void Lines::drop() {
  const auto end = buffer_.find('\n', searched_);
  skipping_ = end == std::string::npos;
  buffer_.erase(0, skipping_ ? end : end + 1);
  buffer_.shrink_to_fit();
  searched_ = 0;
}

Line::Is Lines::fill(int timeout_ms) {
  pollfd waiting{fd_, POLLIN, 0};
  const int ready = ::poll(&waiting, 1, timeout_ms);
  if (ready == 0) return Is::none_yet;
  char bytes[65536];
  const auto got = ready < 0 ? -1 : ::read(fd_, bytes, sizeof bytes);
  if (got < 0 && errno == EINTR) return Is::text;
  if (got <= 0) return Is::end;
  buffer_.append(bytes, static_cast<std::size_t>(got));
  return Is::text;
}

// --- messages ------------------------------------------------------------------------------------

namespace {

constexpr const char* kNoMemory = "this needs more memory than there is";
constexpr std::string_view kCancelled = "notifications/cancelled";
// Longest line that is read while a request runs; a longer one waits for its turn.
constexpr std::size_t kLongestAside = 64 << 10;

// The id of the request that a message cancels; null: none.
Json cancelled_by(const Message& message) {
  return message.method == kCancelled ? message.params.value("requestId", Json()) : Json();
}

}  // namespace

Stdio::Stdio(StdioOptions options)
    : options_(std::move(options)), lines_(options_.in, options_.longest_line) {}

bool Stdio::send(const Json& message) {
  const std::string text = text_of(message) + '\n';
  if (!options_.write(text)) return false;
  give_back_memory(text.size());
  return true;
}

bool Stdio::send_changes() {
  std::vector<Json> changes;
  try {
    changes = subscriptions_.changes(*session_);
  } catch (...) {  // the database is busy or gone: the next look tries again
  }
  return std::all_of(changes.begin(), changes.end(), [&](const Json& one) { return send(one); });
}

// Handles a line that came while a request runs. True: the line is done.
bool Stdio::take_meanwhile(Line& line) {
  if (line.text.size() > kLongestAside) return false;
  try {
    line.message = read_message(line.text);
  } catch (const std::bad_alloc&) {  // the line is read again at its turn
    return false;
  }
  if (const Json id = cancelled_by(*line.message); !id.is_null()) {
    cancelled_.push_back(id);
    return id == working_on_;
  }
  const Method* method = line.message->calls;
  if (!method || method->name != "ping") return false;
  send(*reply_to(Client{*session_}, *line.message));
  return true;
}

bool Stdio::cancelled() {
  lines_.look([this](Line& line) { return take_meanwhile(line); });
  pollfd reader{options_.out, 0, 0};
  if (::poll(&reader, 1, 0) > 0 && (reader.revents & (POLLERR | POLLHUP)) != 0) return true;
  return std::find(cancelled_.begin(), cancelled_.end(), working_on_) != cancelled_.end();
}

std::optional<Json> Stdio::reply_to_line(Line& line) {
  if (line.text.find_first_not_of(" \t\r") == std::string::npos) return std::nullopt;
  if (!line.message) line.message = read_message(line.text);
  line.text = {};
  working_on_ = line.message->id;
  if (const Json id = cancelled_by(*line.message); !id.is_null()) subscriptions_.cancel(id);
  // A client that cancels a request expects no answer to it.
  const auto unwanted = [this] {
    return !working_on_.is_null() && std::erase(cancelled_, working_on_) != 0;
  };
  if (unwanted()) return std::nullopt;
  auto reply = reply_to(Client{*session_, &subscriptions_, true, options_.tools}, *line.message);
  return unwanted() ? std::nullopt : std::move(reply);
}

bool Stdio::step() {
  std::optional<Json> reply;
  reading_ = true;
  Line line = lines_.next(subscriptions_.empty() ? -1 : options_.look_every_ms);
  reading_ = false;
  if (line.is == Is::end) return false;
  if (line.is == Is::text) reply = reply_to_line(line);
  if (line.is == Is::too_long)
    reply = error_reply(nullptr, RpcError(kInvalidRequest, "the message is too long"));
  if (!lines_.has_queued()) cancelled_.clear();  // requests that were answered already
  return (!reply || send(*reply)) && send_changes();
}

void Stdio::serve(api::Session& session) {
  session_ = &session;
  bool more = true;
  while (more) {
    working_on_ = nullptr;
    try {
      more = step();
    } catch (const std::bad_alloc&) {
      session.lacked_memory();
      if (std::exchange(reading_, false)) lines_.drop();
      more = send(error_reply(working_on_, RpcError(kInternalError, kNoMemory)));
    }
  }
}

}  // namespace hebb::serve::mcp
