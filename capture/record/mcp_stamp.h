// When a line of the traffic was seen.
#pragma once

#include <cstdint>

namespace hebb::capture {

struct Stamp {
  std::int64_t wall_us = 0;  // since the epoch
  std::int64_t mono_ns = 0;  // of the monotonic clock
};

}  // namespace hebb::capture
