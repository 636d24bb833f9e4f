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
  // Throws Problem, invalid_argument, for this field if there is no such zone.
  explicit TimeZone(const std::string& name, const std::string& field = "tz");

  TimeMs local(TimeMs utc) const;  // the zone's local time, as if it were UTC
  // The UTC time of a local time. If it occurs twice, because clocks are set back: the first; if
  // clocks skip it: by the offset before.
  TimeMs utc(TimeMs local) const;

 private:
  struct Offset {
    TimeMs from;  // a time in UTC
    TimeMs ms;    // ahead of UTC from then on
  };
  TimeMs offset_at(TimeMs utc) const;  // O(log offsets)
  bool repeats_ = false;               // after the last offset, as 28 years before: approximate
  std::vector<Offset> offsets_;        // by time; the first also holds before it
};

// Whether a span or the name of a day is in the future or in the past.
enum class Direction : std::uint8_t { ahead, back };

// Reads the times of read_time() and, ignoring case:
//   2026-11-27, today, tomorrow, yesterday, friday, fri   the beginning of that day in the zone
//   2026-11-27 17:00, 2026-11-27T17:00:30, friday 9:30    its clock
//   now; 2d, 3h30m                                        a span from now, or before it
// The name of a day is the nearest one in that direction, and not today.
ReadTime read_when(std::string_view text, TimeMs now, const TimeZone& zone, Direction direction);

}  // namespace hebb::api
