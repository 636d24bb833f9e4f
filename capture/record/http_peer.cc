#include "capture/record/http_peer.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <httplib.h>

namespace hebb::capture {
namespace {

using Clock = std::chrono::steady_clock;
using Client = httplib::ClientImpl;

constexpr time_t kConnectSeconds = 10;
constexpr time_t kWriteSeconds = 60;
// The library waits in milliseconds that fit an int; these are 20 days.
constexpr time_t kForeverSeconds = 20 * 86'400;
// A server may close an idle connection at any time, often after five seconds. A request sent at
// that moment fails and cannot be repeated, because the server may have carried it out.
constexpr std::chrono::seconds kReuseWithin{2};
constexpr std::size_t kIdleConnections = 16;

std::string plain_content_type(std::string_view header) {
  header = header.substr(0, header.find(';'));
  while (header.ends_with(' ') || header.ends_with('\t')) header.remove_suffix(1);
  std::string type(header);
  std::transform(type.begin(), type.end(), type.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return type;
}

}  // namespace

struct HttpPeer::Call::State {
  std::mutex mutex;
  std::shared_ptr<Client> client;  // set while an exchange goes on
  std::atomic<bool> stopped = false;
};

HttpPeer::Call::Call() : state_(std::make_unique<State>()) {}
HttpPeer::Call::~Call() = default;

void HttpPeer::Call::stop() {
  state_->stopped = true;
  const std::lock_guard lock(state_->mutex);
  if (state_->client) state_->client->stop();
}

bool HttpPeer::Call::stopped() const { return state_->stopped; }

struct HttpPeer::Connections {
  HttpUrl url;
  HttpHeaders headers;
  struct Idle {
    std::shared_ptr<Client> client;
    Clock::time_point since;
  };
  std::mutex mutex;
  std::vector<Idle> idle;

  std::shared_ptr<Client> take() {
    {
      const std::lock_guard lock(mutex);
      const auto now = Clock::now();
      std::erase_if(idle, [&](const Idle& one) { return now - one.since > kReuseWithin; });
      if (!idle.empty()) {
        std::shared_ptr<Client> client = std::move(idle.back().client);
        idle.pop_back();
        return client;
      }
    }
    const std::shared_ptr<Client> client =
        url.tls ? std::make_shared<httplib::SSLClient>(url.host, url.port)
                : std::make_shared<Client>(url.host, url.port);
    client->set_keep_alive(true);
    client->set_tcp_nodelay(true);
    client->set_url_encode(false);  // the path is as the user wrote it
    client->set_connection_timeout(kConnectSeconds);
    client->set_write_timeout(kWriteSeconds);
    return client;
  }

  void give_back(std::shared_ptr<Client> client) {
    const std::lock_guard lock(mutex);
    if (idle.size() < kIdleConnections) idle.push_back({std::move(client), Clock::now()});
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
  httplib::Request message;
  message.method = request.method;
  message.path = url().path;
  message.headers.emplace("Accept-Encoding", "identity");
  message.headers.emplace("User-Agent", "hebb");
  message.headers.insert(connections_->headers.begin(), connections_->headers.end());
  message.headers.insert(request.headers.begin(), request.headers.end());
  bool told = false;
  const auto tell_sent = [&] {
    if (!std::exchange(told, true) && request.sent) request.sent();
  };
  if (!request.body.empty()) {
    message.content_length_ = request.body.size();
    message.content_provider_ = [&](std::size_t from, std::size_t size, httplib::DataSink& sink) {
      const bool written =
          !call.stopped() && sink.write(request.body.data() + from, size) && !call.stopped();
      if (written && from + size == request.body.size()) tell_sent();
      return written;
    };
  }
  std::optional<HttpHead> head;
  bool refused = false;  // the caller wants no more of the answer, which is not a failure
  message.response_handler = [&](const httplib::Response& response) {
    if (call.stopped()) return false;
    head = HttpHead{response.status, response.reason,
                    plain_content_type(response.get_header_value("Content-Type")),
                    response.get_header_value("Location"),
                    response.get_header_value("Mcp-Session-Id")};
    refused = !request.head(*head);
    // A body without a length ends when the connection does; do not wait for that with a 202.
    const bool endless = !response.has_header("Content-Length") &&
                         !response.has_header("Transfer-Encoding") && response.status == 202;
    refused = refused || endless;
    return !refused;
  };
  message.content_receiver = [&](const char* data, std::size_t size, std::uint64_t, std::uint64_t) {
    if (call.stopped()) return false;
    refused = !request.body_piece({data, size});
    return !refused;
  };
  const std::shared_ptr<Client> client = connections_->take();
  client->set_read_timeout(request.answer_seconds > 0 ? request.answer_seconds : kForeverSeconds);
  {
    const std::lock_guard lock(call.state_->mutex);
    call.state_->client = client;
  }
  const httplib::Result result = client->send(message);
  {
    const std::lock_guard lock(call.state_->mutex);
    call.state_->client.reset();
  }
  tell_sent();
  if (result) {
    connections_->give_back(client);
    return {};
  }
  if (refused) return {};
  if (call.stopped()) return "stopped";
  if (head) return fmt::format("the connection broke off ({})", httplib::to_string(result.error()));
  return fmt::format("{} cannot be reached ({})", url().text(), httplib::to_string(result.error()));
}

}  // namespace hebb::capture
