#include "capture/record/mcp_http.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "text/ascii.h"

namespace hebb::capture {
namespace {

constexpr std::chrono::milliseconds kRetryLongest{30'000};
constexpr std::size_t kQuotedBytes = 200;  // how much of a server's text an error quotes

std::string shortened(std::string_view words) {
  std::string text(words.substr(0, kQuotedBytes));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return text;
}

}  // namespace

bool HttpAnswer::has_message() const {
  const std::string type = head.content_type();
  const bool json = type.empty() || type == "application/json" || type.ends_with("+json");
  return !events && json && !is_blank(body);
}

void StreamPlace::take(const SseReader& events) {
  if (!events.last_id().empty()) last_id = events.last_id();
  if (events.retry_ms()) {
    retry = std::min(std::chrono::milliseconds(*events.retry_ms()), kRetryLongest);
  }
}

McpHttp::McpHttp(HttpUrl url, HttpHeaders headers, Events events)
    : peer_(std::move(url), std::move(headers)), events_(std::move(events)) {}

HttpRequest McpHttp::request(std::string method, HttpAnswer& answer) {
  HttpRequest request;
  request.method = std::move(method);
  request.head = [&](const HttpHead& head) {
    answer.head = head;
    if (answer.ok() && head.content_type() == "text/event-stream") {
      answer.events.emplace(
          [this](SseReader::Event event) {
            // Other types of events are not part of this protocol.
            return (!event.type.empty() && event.type != "message") ||
                   events_.message(std::move(event.data));
          },
          kMessageBytes);
    }
    return true;
  };
  request.body_piece = [&](std::string_view piece) {
    bool fits = answer.body.size() + piece.size() <= kMessageBytes;
    if (answer.events) {
      if (answer.events->feed(piece)) return true;
      fits = !answer.events->too_long();
    } else if (fits) {
      answer.body += piece;
      return true;
    }
    if (!fits) {
      answer.failure = fmt::format("a message has more than {} MiB", kMessageBytes >> 20);
      answer.body.clear();
    }
    return false;
  };
  return request;
}

HttpHeaders McpHttp::session_headers() const {
  const std::lock_guard lock(mutex_);
  HttpHeaders headers;
  if (!version_.empty()) headers.emplace_back("MCP-Protocol-Version", version_);
  if (!session_.empty()) headers.emplace_back("Mcp-Session-Id", session_);
  return headers;
}

HttpAnswer McpHttp::post(const ClientMessage& message, HttpPeer::Call& call,
                         std::chrono::seconds within, std::function<void()> sent) {
  HttpAnswer answer;
  HttpRequest post = request("POST", answer);
  if (message.stateless()) {
    const std::lock_guard lock(mutex_);
    post.headers = stateless_headers(message, mirrored_);
  } else {
    post.headers = session_headers();
  }
  post.headers.emplace_back("Accept", "application/json, text/event-stream");
  post.headers.emplace_back("Content-Type", "application/json");
  post.body = message.line;
  post.answer_within = within;
  post.sent = std::move(sent);
  if (message.method == "initialize") {
    post.head = [this, take = std::move(post.head)](const HttpHead& head) {
      if (head.status >= 200 && head.status < 300) {
        const std::string session = head.header("Mcp-Session-Id");
        {
          const std::lock_guard lock(mutex_);
          session_ = session;
        }
        events_.session(session);
      }
      return take(head);
    };
  }
  HttpFailure failure = peer_.exchange(post, call);
  if (answer.failure.empty()) answer.failure = std::move(failure);
  return answer;
}

HttpAnswer McpHttp::listen(HttpPeer::Call& call, StreamPlace& place) {
  HttpAnswer answer;
  HttpRequest get = request("GET", answer);
  get.headers = session_headers();
  get.headers.emplace_back("Accept", "text/event-stream");
  if (!place.last_id.empty()) get.headers.emplace_back("Last-Event-ID", place.last_id);
  HttpFailure failure = peer_.exchange(get, call);
  if (answer.failure.empty()) answer.failure = std::move(failure);
  if (answer.events) place.take(*answer.events);
  return answer;
}

void McpHttp::end_session(std::chrono::seconds within) {
  HttpRequest request;
  request.headers = session_headers();
  {
    const std::lock_guard lock(mutex_);
    if (session_.empty()) return;
  }
  request.method = "DELETE";
  request.head = [](const HttpHead&) { return true; };
  request.body_piece = [](std::string_view) { return true; };
  request.answer_within = within;
  HttpPeer::Call call;
  peer_.exchange(request, call);  // ignores failures: a server need not support DELETE
}

void McpHttp::forget_session() {
  const std::lock_guard lock(mutex_);
  session_.clear();
  version_.clear();
  expired_ = false;
}

void McpHttp::note_refusal(const HttpAnswer& answer) {
  if (answer.head.status != 404) return;
  {
    const std::lock_guard lock(mutex_);
    if (session_.empty()) return;
    session_.clear();
    expired_ = true;
  }
  events_.session("");
}

bool McpHttp::expired() const {
  const std::lock_guard lock(mutex_);
  return expired_;
}

void McpHttp::learn(const std::string& method, bool stateless, const ServerMessage& answer) {
  const std::lock_guard lock(mutex_);
  if (method == "initialize") version_ = answer.version;
  if (method == "tools/list" && stateless) mirrored_.learn(answer.line);
}

std::string McpHttp::describe(const HttpAnswer& refused) const {
  const HttpHead& head = refused.head;
  std::string text =
      fmt::format("HTTP {} {} from {}", head.status, head.reason, peer_.url().text());
  if (head.status == 401 || head.status == 403) text += " (credentials are given with --header)";
  if (const std::string location = head.header("Location"); !location.empty()) {
    text += " (it has moved to " + shortened(location) + ")";
  }
  if (refused.ok() && !refused.has_message()) text += " with " + shortened(head.content_type());
  if (!is_blank(refused.body)) text += ": " + shortened(refused.body);
  return text;
}

}  // namespace hebb::capture
