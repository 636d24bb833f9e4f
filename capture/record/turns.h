// Groups calls into turns. A turn has the calls that were in flight at the same time, and calls so
// soon after the last answer that the client must have sent them together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "capture/record/line_time.h"

namespace hebb::capture {

class Turns {
 public:
  static constexpr std::int64_t kGraceMs = 20;

  // `grace_ms`: how long after its last answer a turn gets new calls; 0: never.
  explicit Turns(std::int64_t grace_ms) : grace_ns_(grace_ms * 1'000'000) {}

  // A call began. Returns the number of its turn: the microsecond in which the turn began, so that
  // numbers of several recorders of one agent, at any time, do not collide.
  std::int64_t begin(LineTime time) {
    const bool goes_on =
        in_flight_ > 0 || (turn_ > 0 && grace_ns_ > 0 && time.mono_ns - answered_ns_ <= grace_ns_);
    if (!goes_on) turn_ = std::max(turn_ + 1, time.wall_us);
    ++in_flight_;
    return turn_;
  }
  // A call that was ended by end() continues (input_required was answered).
  void resume() { ++in_flight_; }
  // A call was answered, or its turn does not wait for it any more.
  void end(LineTime time) {
    --in_flight_;
    answered_ns_ = time.mono_ns;
  }

 private:
  const std::int64_t grace_ns_;
  std::int64_t turn_ = 0;
  std::int64_t answered_ns_ = 0;
  std::size_t in_flight_ = 0;
};

}  // namespace hebb::capture
