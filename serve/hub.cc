#include "serve/hub.h"

#include <algorithm>
#include <chrono>

#include <boost/asio/post.hpp>

namespace hebb::serve {

namespace {

namespace asio = boost::asio;

constexpr auto kLookEvery = std::chrono::milliseconds(100);
constexpr std::size_t kMirrorAgain = 10;   // looks, where it could not be brought up to date
constexpr std::size_t kBeatEvery = 150;    // looks
constexpr std::size_t kMostTogether = 64;  // writes that are mirrored at once

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

void Hub::read(const Request& request, Done done) {
  ++waiting_;
  const auto response = std::make_shared<Response>(failed_response());
  read([this, &request, response] { *response = handler.read(request); },
       [this, response, done = std::move(done)] {
         --waiting_;
         done(std::move(*response));
       });
}

void Hub::read(std::function<void()> work, std::function<void()> then) {
  asio::post(reader_, [this, work = std::move(work), then = std::move(then)]() mutable {
    guarded(work);
    guarded([&] { asio::post(io, std::move(then)); });
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
  ++waiting_;
  const std::lock_guard lock(writes_mutex_);
  writes_.push_back({&request, [this, done = std::move(done)](Response response) {
                       --waiting_;
                       done(std::move(response));
                     }});
  if (!std::exchange(draining_, true)) asio::post(writer_, [this] { drain(); });
}

// Does all writes that wait as one batch, so that the mirror is written once for all of them.
void Hub::drain() {
  while (true) {
    std::vector<Write> batch;
    {
      const std::lock_guard lock(writes_mutex_);
      const auto n = ended_ ? 0 : std::min(writes_.size(), kMostTogether);
      draining_ = n > 0;
      if (n == 0) return;
      std::move(writes_.begin(), writes_.begin() + static_cast<std::ptrdiff_t>(n),
                std::back_inserter(batch));
      writes_.erase(writes_.begin(), writes_.begin() + static_cast<std::ptrdiff_t>(n));
    }
    std::vector<const Request*> requests;
    for (const Write& write : batch) {
      if (write.request) requests.push_back(write.request);
    }
    std::vector<Response> responses;
    if (!guarded([&] { responses = handler.write(requests); }))
      responses.assign(requests.size(), failed_response());
    asio::post(io, [this, batch = std::move(batch), responses = std::move(responses)]() mutable {
      std::size_t i = 0;
      for (Write& write : batch) write.done(write.request ? std::move(responses[i++]) : Response{});
      wake_streams();
    });
  }
}

void Hub::wake_streams() {
  if (woken_at_ == handler.position()) return;
  woken_at_ = handler.position();
  const std::set<Connection*> all = connections;
  for (Connection* connection : all) connection->pump();
}

void Hub::looked(Handler::Seen seen) {
  if (seen == Handler::Seen::not_mirrored && looks_ >= mirror_again_at_) {
    mirror_again_at_ = looks_ + kMirrorAgain;
    const std::lock_guard lock(writes_mutex_);
    if (!draining_) {  // a drain() under way brings the mirror up to date anyway
      writes_.push_back({nullptr, [](Response) {}});
      draining_ = true;
      asio::post(writer_, [this] { drain(); });
    }
  }
  wake_streams();
  if (looks_ < beat_at_) return;
  beat_at_ = looks_ + kBeatEvery;
  const std::set<Connection*> all = connections;
  for (Connection* connection : all) connection->beat();
}

void Hub::follow() {
  timer_.expires_after(kLookEvery);
  timer_.async_wait([this](const boost::system::error_code& ec) {
    if (ec || stopping) return;
    const auto seen = std::make_shared<Handler::Seen>(Handler::Seen::nothing_new);
    read(
        [this, seen] {
          try {
            *seen = handler.look();
          } catch (...) {  // busy or gone: the next look tries again; requests get the error
          }
        },
        [this, seen] {
          ++looks_;
          guarded([&] { looked(*seen); });
          follow();
        });
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
