// The server's counters in Prometheus' text format (version 0.0.4).
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "api/session.h"
#include "serve/message.h"

namespace hebb::serve {

// May be used by several threads.
class Metrics {
 public:
  using Clock = std::chrono::steady_clock;

  void count_request(const Response& response, Clock::time_point begin);
  void fold_took(Clock::time_point begin);

  std::string text() const;

 private:
  static constexpr std::array<double, 11> kSeconds{0.0003, 0.001, 0.003, 0.01, 0.03, 0.1,
                                                   0.3,    1,     3,     10,   30};
  struct Histogram {
    std::array<std::uint64_t, kSeconds.size() + 1> counts{};
    double sum = 0;
    void add(Clock::time_point begin);
    // Appends the histogram's lines; labels: `operation="rank"`, or empty.
    void write(std::string& out, std::string_view name, const std::string& labels) const;
  };

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, std::uint64_t> requests_;
  std::map<std::string, Histogram> latencies_;
  Histogram folds_;
};

// The present sizes of the database, as lines. Throws api::Problem.
std::string gauges(api::Session& session);

}  // namespace hebb::serve
