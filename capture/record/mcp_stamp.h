// When a line of the traffic went by.
#pragma once

#include <cstdint>

namespace hebb::capture {

struct Stamp {
  std::int64_t wall_us = 0;  // since the epoch
  std::int64_t mono_ns = 0;  // on a clock that is never set
};

}  // namespace hebb::capture
