// Time limits for actions in a browser.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace hebb::skill {

using Clock = std::chrono::steady_clock;
using Deadline = Clock::time_point;

inline Deadline in_ms(std::int64_t ms) { return Clock::now() + std::chrono::milliseconds(ms); }
// How long to wait for an answer to a command: a little longer than the step's own time.
inline Deadline for_answer(Deadline step) { return step + std::chrono::seconds(2); }
inline bool is_over(Deadline d) { return Clock::now() >= d; }
// For poll(): whole milliseconds left, rounded up; 0 after the deadline.
inline int ms_left(Deadline d) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(d - Clock::now()).count();
  return static_cast<int>(std::clamp<std::int64_t>(left, 0, 1'000'000));
}
inline std::int64_t ms_since(Deadline from) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - from).count();
}

}  // namespace hebb::skill
