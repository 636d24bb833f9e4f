#include "net/peer.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include <fmt/format.h>

#include "net/connection.h"
#include "secrets/ascii.h"

namespace hebb {
namespace {

using secrets::to_lower;
using Clock = std::chrono::steady_clock;

// A server may close an idle connection at any time, often after five seconds. A request sent at
// that moment fails and cannot be repeated, because the server may have carried it out.
constexpr std::chrono::seconds kReuseWithin{2};
constexpr std::size_t kIdleConnections = 16;

}  // namespace

bool is_header_value(std::string_view value) {
  return std::all_of(value.begin(), value.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == '\t' || (byte >= 0x20 && byte != 0x7f);
  });
}

std::string HttpHead::header(std::string_view name) const {
  const std::string wanted = to_lower(name);
  const auto found = std::find_if(headers.begin(), headers.end(),
                                  [&](const auto& one) { return to_lower(one.first) == wanted; });
  return found == headers.end() ? std::string() : found->second;
}

std::string HttpHead::content_type() const {
  std::string type = header("Content-Type");
  type.resize(std::min(type.find(';'), type.size()));
  while (type.ends_with(' ') || type.ends_with('\t')) type.pop_back();
  return to_lower(type);
}

struct HttpPeer::Call::State {
  std::mutex mutex;
  HttpConnection* connection = nullptr;  // set while an exchange goes on; guarded by mutex
  std::atomic<bool> stopped = false;
};

HttpPeer::Call::Call() : state_(std::make_unique<State>()) {}
HttpPeer::Call::~Call() = default;

void HttpPeer::Call::stop() {
  state_->stopped = true;
  const std::lock_guard lock(state_->mutex);
  if (state_->connection != nullptr) state_->connection->interrupt();
}

bool HttpPeer::Call::stopped() const { return state_->stopped; }

struct HttpPeer::Connections {
  HttpUrl url;
  HttpHeaders headers;
  struct Idle {
    std::unique_ptr<HttpConnection> connection;
    Clock::time_point since;
  };
  std::mutex mutex;
  std::vector<Idle> idle;

  std::unique_ptr<HttpConnection> take() {
    const std::lock_guard lock(mutex);
    const auto now = Clock::now();
    std::erase_if(idle, [&](const Idle& one) { return now - one.since > kReuseWithin; });
    if (idle.empty()) return std::make_unique<HttpConnection>(url);
    std::unique_ptr<HttpConnection> connection = std::move(idle.back().connection);
    idle.pop_back();
    return connection;
  }

  void give_back(std::unique_ptr<HttpConnection> connection) {
    const std::lock_guard lock(mutex);
    if (idle.size() < kIdleConnections) idle.push_back({std::move(connection), Clock::now()});
  }
};

HttpPeer::HttpPeer(HttpUrl url, HttpHeaders headers)
    : connections_(std::make_unique<Connections>()) {
  connections_->url = std::move(url);
  connections_->headers = std::move(headers);
}
HttpPeer::~HttpPeer() = default;

const HttpUrl& HttpPeer::url() const { return connections_->url; }

HttpFailure HttpPeer::exchange(const HttpRequest& request, Call& call) {
  HttpHeaders headers = connections_->headers;
  headers.insert(headers.end(), request.headers.begin(), request.headers.end());
  for (const auto& [name, value] : headers) {
    if (is_header_value(value)) continue;
    return fmt::format("nothing was sent to {}: the header {} has a control character",
                       url().text(), name);
  }
  std::unique_ptr<HttpConnection> connection = connections_->take();
  {
    const std::lock_guard lock(call.state_->mutex);
    call.state_->connection = connection.get();
  }
  HttpFailure failure = connection->exchange(request, headers, call.state_->stopped);
  {
    const std::lock_guard lock(call.state_->mutex);
    call.state_->connection = nullptr;
  }
  // A connection whose call was stopped is not used again: interrupt() only asks for it to be
  // closed, and the closing may not have happened yet.
  if (connection->is_open() && !call.stopped()) connections_->give_back(std::move(connection));
  return failure;
}

}  // namespace hebb
