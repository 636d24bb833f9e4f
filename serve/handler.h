// Makes the response to a request that the guard has let through.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "api/session.h"
#include "serve/message.h"
#include "serve/route.h"

namespace hebb::serve {

// May be called by several threads. Operations run one at a time: an Engine belongs to one thread.
class Handler {
 public:
  explicit Handler(api::Session& session) : session_(session) {}

  // Never throws.
  Response handle(const Request& request);
  // The longest body that the request may have, in bytes.
  static std::size_t body_limit(const Request& request);

 private:
  static constexpr std::array<double, 8> kSeconds{0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 10};
  struct Latency {
    std::array<std::uint64_t, kSeconds.size() + 1> counts{};
    double sum = 0;
  };

  Response respond(const Request& request);
  Response run(const Route& route, const Target& target, const Request& request);
  Response mcp(const Request& request);
  Response metrics();
  Response ready();
  void count(const Response& response, double seconds);

  std::mutex mutex_;  // guards the session
  api::Session& session_;
  std::mutex counters_mutex_;  // guards the members below
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;
  std::map<std::string, Latency> latencies_;
};

}  // namespace hebb::serve
