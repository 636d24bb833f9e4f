// Options that take a time or a time zone.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/command.h"

namespace hebb::cli {

// Epoch milliseconds or RFC 3339; what is neither is a mistake of usage that says what was probably
// meant.
CLI::Option* add_time_option(CLI::App& command, const std::string& name,
                             std::optional<TimeMs>& time, const std::string& does);

// Such a time, or a span before now such as 7d. Throws Stop(kUsage).
TimeMs parse_since(const Context& context, const std::string& text);

// What a local time of the zone, given as if it were UTC, is in UTC. A zone is an offset such as
// +02:00, or a name such as Europe/Berlin that the system's tzdata knows; else throws Stop(kUsage).
// A time that comes twice when clocks are set back is its first occurrence; one that clocks skip is
// taken by the offset before the skip. A name sets TZ: for the process, and before it has threads.
std::function<TimeMs(TimeMs)> utc_of_local(const std::string& zone);

}  // namespace hebb::cli
