#include "serve/hub.h"

#include <algorithm>
#include <chrono>

#include <boost/asio/post.hpp>

namespace hebb::serve {

namespace {

namespace asio = boost::asio;

constexpr auto kLookEvery = std::chrono::milliseconds(100);
constexpr std::size_t kBeatEvery = 150;    // looks
constexpr std::size_t kMostTogether = 64;  // writes

}  // namespace

Hub::Hub(api::Session& reader, api::Session& writer, const ServeOptions& o)
    : options(o), handler(reader, writer) {
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
  } catch (...) {  // there is no memory for the line
  }
}

std::shared_ptr<void> Hub::hold(std::size_t bytes) {
  held_ += bytes;
  return {&held_, [bytes](std::atomic<std::size_t>* held) { *held -= bytes; }};
}

void Hub::read(Request& request, Done done) {
  const auto response = std::make_shared<Response>(failed_response());
  read(
      [this, &request, response] {
        *response = can_hold(0) ? handler.read(request) : too_much_held();
        hold(*response);
      },
      [this, response, done = std::move(done)] {
        --waiting_;
        done(std::move(*response));
      });
  ++waiting_;
}

void Hub::read(std::function<void()> work, std::function<void()> then) {
  const auto next = std::make_shared<std::function<void()>>(std::move(then));
  asio::post(reader_, [this, work = std::move(work), next] {
    guarded(work);
    surely([&] { asio::post(io, [next] { (*next)(); }); });
  });
}

void Hub::write(Request& request, Done done) {
  const std::lock_guard lock(writes_mutex_);
  writes_.push_back({&request, std::move(done)});
  ++waiting_;
  if (draining_) return;
  surely([this] { asio::post(writer_, [this] { drain(); }); });
  draining_ = true;
}

// Does all writes that wait as one batch, so that the frequent responses are made once for all.
void Hub::drain() {
  while (true) {
    std::shared_ptr<std::vector<Write>> batch;
    surely([&] {
      batch = std::make_shared<std::vector<Write>>();
      batch->reserve(kMostTogether);
    });
    {
      const std::lock_guard lock(writes_mutex_);
      const auto n = ended_ ? 0 : std::min(writes_.size(), kMostTogether);
      draining_ = n > 0;
      if (n == 0) return;
      const auto end = writes_.begin() + static_cast<std::ptrdiff_t>(n);
      std::move(writes_.begin(), end, std::back_inserter(*batch));
      writes_.erase(writes_.begin(), end);
    }
    std::shared_ptr<std::vector<Response>> responses;
    surely([&] { responses = std::make_shared<std::vector<Response>>(); });
    guarded([&] { *responses = written(*batch); });
    surely([&] {
      asio::post(io, [this, batch, responses] {
        for (std::size_t i = 0; i < batch->size(); ++i) {
          --waiting_;
          guarded([&] {
            const bool made = i < responses->size();
            (*batch)[i].done(made ? std::move((*responses)[i]) : failed_response());
          });
        }
        wake_streams(false);
      });
    });
  }
}

// A response for each of the batch.
std::vector<Response> Hub::written(const std::vector<Write>& batch) {
  if (!can_hold(0)) return std::vector<Response>(batch.size(), too_much_held());
  std::vector<Request*> requests;
  for (const Write& write : batch) requests.push_back(write.request);
  std::vector<Response> responses = handler.write(requests);
  for (Response& response : responses) hold(response);
  return responses;
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
