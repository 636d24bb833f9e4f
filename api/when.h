// Times as people write them: dates, days of the week, spans, clocks of a time zone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/values/times.h"

namespace hebb::api {

// A time zone: UTC, an offset such as +02:00, or a zone of the system's tzdata, Europe/Berlin.
class TimeZone {
 public:
  // Throws Problem, invalid_argument, of the field that names it, if there is no such zone.
  explicit TimeZone(const std::string& name, const std::string& field = "tz");

  TimeMs local(TimeMs utc) const;  // what its clocks show, as if it were UTC
  // The time at which its clocks show that. Where they show it twice, as when they are set back:
  // the first; where they skip it: by the offset from before.
  TimeMs utc(TimeMs local) const;

 private:
  struct Offset {
    TimeMs from;  // a time in UTC
    TimeMs ms;    // ahead of UTC from then on
  };
  TimeMs offset_at(TimeMs utc) const;  // O(log offsets)
  bool repeats_ = false;               // beyond the last, as 28 years before: about right
  std::vector<Offset> offsets_;        // by time; the first also holds before it
};

// Where a span, or the name of a day, lies from now on, or before it.
enum class Direction : std::uint8_t { ahead, back };

// Reads what read_time() reads, and beside it, in any case:
//   2026-11-27, today, tomorrow, yesterday, friday, fri   the beginning of that day in the zone
//   2026-11-27 17:00, 2026-11-27T17:00:30, friday 9:30    its clock
//   now; 2d, 3h30m                                        a span from now, or before it
// The name of a day is the nearest one in that direction, and not today.
ReadTime read_when(std::string_view text, TimeMs now, const TimeZone& zone, Direction direction);

}  // namespace hebb::api
