// The time at which a line of the traffic was read.
#pragma once

#include <cstdint>

#include <time.h>

namespace hebb::capture {

struct LineTime {
  std::int64_t wall_us = 0;  // since the epoch
  std::int64_t mono_ns = 0;  // of the monotonic clock
};

inline LineTime line_time_now() {
  timespec wall{}, mono{};
  clock_gettime(CLOCK_REALTIME, &wall);
  clock_gettime(CLOCK_MONOTONIC, &mono);
  return {wall.tv_sec * 1'000'000 + wall.tv_nsec / 1000,
          mono.tv_sec * 1'000'000'000 + mono.tv_nsec};
}

}  // namespace hebb::capture
