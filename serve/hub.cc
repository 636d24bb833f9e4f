#include "serve/hub.h"

#include <algorithm>

#include <boost/asio/post.hpp>

#include "secrets/secrets.h"
#include "text/ascii.h"

namespace hebb::serve {

namespace {

namespace asio = boost::asio;

constexpr auto kLookEvery = std::chrono::milliseconds(100);
constexpr std::size_t kBeatEvery = 150;  // calls of look()

bool is_plain(char c) {
  return is_alnum(c) || std::string_view("-_./:%+").find(c) != std::string_view::npos;
}

// The part of a request's target that may be logged: the path, without parameters, without the
// login of an address, and without whatever looks like a secret.
std::string loggable(std::string_view target) {
  const std::size_t scheme = target.find("://");
  if (!target.starts_with('/') && scheme != std::string_view::npos) {
    const std::size_t path = target.find_first_of("/?#;", scheme + 3);
    target = path == std::string_view::npos ? "/" : target.substr(path);
  }
  return secrets::Redactor().text(target.substr(0, target.find_first_of("?#;")));
}

}  // namespace

std::string log_line(LogFormat format, const api::Json& fields) {
  // In both formats only ASCII, with control characters escaped.
  const auto text = [](const api::Json& json) {
    return json.dump(-1, ' ', true, api::Json::error_handler_t::replace);
  };
  if (format == LogFormat::json) return text(fields);
  std::string line;
  for (const auto& [name, value] : fields.items()) {
    if (!line.empty()) line += ' ';
    line += name + '=';
    const auto* words = value.get_ptr<const std::string*>();
    const bool plain =
        words && !words->empty() && std::all_of(words->begin(), words->end(), is_plain);
    line += plain ? *words : text(value);
  }
  return line;
}

Hub::Hub(api::Session& reader, api::Session& writer, const ServeOptions& o)
    : options(o), handler(reader, writer, o.tools) {
  try {
    handler.look();  // so that streams begin at the end of the ledger
  } catch (...) {    // follow() looks again
  }
}

void Hub::log(const api::Json& fields) const {
  if (options.log && options.log_format != LogFormat::none)
    options.log(log_line(options.log_format, fields));
}

void Hub::log(const Request& request, const Response& response) const {
  if (!options.log || options.log_format == LogFormat::none) return;
  std::chrono::duration<double, std::milli> took{0};
  if (request.begin) took = std::chrono::steady_clock::now() - *request.begin;
  log({{"level", response.status >= 500 ? "error" : "info"},
       {"method", request.is_head ? "HEAD" : request.method},
       {"target", loggable(request.target)},
       {"operation", response.operation.empty() ? "none" : response.operation},
       {"status", response.status},
       {"ms", static_cast<double>(static_cast<int>(took.count() * 10)) / 10}});
}

void Hub::log_thrown() const noexcept {
  try {
    log({{"level", "error"}, {"thrown", api::problem_of(std::current_exception()).what()}});
  } catch (...) {  // out of memory for the line
  }
}

std::shared_ptr<void> Hub::hold(std::size_t bytes) {
  held_ += bytes;
  return {&held_, [bytes](std::atomic<std::size_t>* held) { *held -= bytes; }};
}

void Hub::read(Work work, Work then) {
  const auto next = std::make_shared<Work>(std::move(then));
  asio::post(reader_, [this, work = std::move(work), next] {
    guarded(work);
    surely([&] { asio::post(io, [next] { (*next)(); }); });
  });
}

void Hub::write(Request& request, Response& response, Work then) {
  const std::lock_guard lock(writes_mutex_);
  writes_.push_back({&request, &response, std::move(then)});
  if (draining_) return;
  surely([this] { asio::post(writer_, [this] { drain(); }); });
  draining_ = true;
}

// Does all waiting writes as one batch, so that the frequent responses are made only once.
void Hub::drain() {
  while (true) {
    std::shared_ptr<std::vector<Write>> batch;
    surely([&] { batch = std::make_shared<std::vector<Write>>(); });
    {
      const std::lock_guard lock(writes_mutex_);
      draining_ = !ended_ && !writes_.empty();
      if (!draining_) return;
      batch->swap(writes_);
    }
    guarded([&] { respond(*batch); });
    surely([&] {
      asio::post(io, [this, batch] {
        for (const Write& write : *batch) guarded(write.then);
        wake_streams(false);
      });
    });
  }
}

Response Hub::respond(Request& request) {
  Response response = can_hold(0) ? handler.read(request) : too_much_held();
  response.held = hold(response.body.size() + response.gzip.size());
  return response;
}

void Hub::respond(const std::vector<Write>& batch) {
  std::vector<Request*> requests;
  for (const Write& write : batch) requests.push_back(write.request);
  auto responses =
      can_hold(0) ? handler.write(requests) : std::vector<Response>(batch.size(), too_much_held());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    responses[i].held = hold(responses[i].body.size() + responses[i].gzip.size());
    *batch[i].response = std::move(responses[i]);
  }
}

void Hub::wake_streams(bool beat) {
  for (Connection* connection : connections) connection->wake(beat);
}

void Hub::follow() {
  if (stopping) return;
  surely([this] {
    timer_.expires_after(kLookEvery);
    timer_.async_wait([this](const boost::system::error_code& ec) {
      if (!ec) surely([this] { look(); });
    });
  });
}

void Hub::look() {
  read(
      [this] {
        try {
          handler.look();
        } catch (...) {  // busy or gone: the next look tries again; requests get the error
        }
      },
      [this] {
        ++looks_;
        wake_streams(looks_ % kBeatEvery == 0);
        follow();
      });
}

void Hub::stop() {
  stopping = true;
  timer_.cancel();
  if (connections.empty()) return;
  for (Connection* connection : connections) connection->stop();
  surely([this] {
    timer_.expires_after(std::chrono::milliseconds(options.stop_timeout_ms));
    timer_.async_wait([this](const boost::system::error_code& cancelled) {
      if (!cancelled) io.stop();
    });
  });
}

void Hub::leave(Connection* connection) {
  connections.erase(connection);
  if (stopping && !ended_ && connections.empty()) timer_.cancel();
}

void Hub::join() {
  ended_ = true;
  reader_.stop();
  reader_.join();
  writer_.join();
}

}  // namespace hebb::serve
