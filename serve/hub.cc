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
    : options(o), handler(reader, writer), feed(handler) {
  try {
    handler.look();  // so that streams begin at the end of the ledger
  } catch (...) {    // follow() looks again
  }
}

void Hub::log(const api::Json& fields) const {
  if (options.log && options.log_format != LogFormat::none)
    options.log(log_line(options.log_format, fields));
}

void Hub::log_thrown() const noexcept {
  try {
    log({{"level", "error"}, {"thrown", api::problem_of(std::current_exception()).what()}});
  } catch (...) {  // there is no memory for the line
  }
}

std::shared_ptr<void> Hub::hold(std::size_t bytes) {
  const auto drop = [this](std::size_t* n) {
    held_ -= *n;
    delete n;
  };
  std::shared_ptr<std::size_t> held(new std::size_t(0), drop);
  held_ += bytes;
  *held = bytes;
  return held;
}

void Hub::read(const Request& request, Done done) {
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

std::unique_ptr<Stream> Hub::stream(const Request& request, Response& refusal) {
  try {
    if (Handler::is_mcp(request)) return handler.mcp_stream(request, refusal);
    return feed.open(request);
  } catch (...) {
    refusal = problem_response(api::problem_of(std::current_exception()));
    return nullptr;
  }
}

void Hub::write(const Request& request, Done done) {
  Write write{&request, [this, done = std::move(done)](Response response) {
                --waiting_;
                done(std::move(response));
              }};
  add(std::move(write));
  ++waiting_;
}

void Hub::add(Write write) {
  const std::lock_guard lock(writes_mutex_);
  writes_.push_back(std::move(write));
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
          guarded([&] {
            const bool made = i < responses->size();
            (*batch)[i].done(made ? std::move((*responses)[i]) : failed_response());
          });
        }
        wake_streams();
      });
    });
  }
}

// A response for each of the batch.
std::vector<Response> Hub::written(const std::vector<Write>& batch) {
  if (!can_hold(0)) return std::vector<Response>(batch.size(), too_much_held());
  std::vector<const Request*> requests;
  for (const Write& write : batch) {
    if (write.request) requests.push_back(write.request);
  }
  std::vector<Response> made = handler.write(requests), responses(batch.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (!batch[i].request) continue;
    responses[i] = std::move(made[next++]);
    hold(responses[i]);
  }
  return responses;
}

void Hub::wake_streams() {
  const std::set<Connection*> all = connections;
  for (Connection* connection : all) guarded([&] { connection->pump(); });
}

void Hub::looked() {
  wake_streams();
  if (looks_ < beat_at_) return;
  beat_at_ = looks_ + kBeatEvery;
  const std::set<Connection*> all = connections;
  for (Connection* connection : all) guarded([&] { connection->beat(); });
}

void Hub::follow() {
  surely([this] {
    timer_.expires_after(kLookEvery);
    timer_.async_wait([this](const boost::system::error_code& ec) {
      if (!ec && !stopping) surely([this] { look(); });
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
        guarded([&] { looked(); });
        follow();
      });
}

void Hub::stop() {
  stopping = true;
  timer_.cancel();
  const std::set<Connection*> all = connections;
  for (Connection* connection : all) connection->stop();
}

void Hub::join() {
  ended_ = true;
  reader_.stop();
  reader_.join();
  writer_.join();
}

}  // namespace hebb::serve
