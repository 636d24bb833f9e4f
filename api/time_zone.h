// Local times: what the clock of a zone says, in UTC.
#pragma once

#include <functional>
#include <string>

#include "graph/graph.h"

namespace hebb::api {

using graph::TimeMs;

// What a local time of the zone, given as if it were UTC, is in UTC. A zone is an offset such as
// +02:00, or a name such as Europe/Berlin that the system's tzdata knows; else throws Problem,
// invalid_argument. A time that comes twice when clocks are set back is its first occurrence; one
// that clocks skip is taken by the offset before the skip. A name sets TZ: for the process, and
// before it has threads.
std::function<TimeMs(TimeMs)> utc_of_local(const std::string& zone);

}  // namespace hebb::api
