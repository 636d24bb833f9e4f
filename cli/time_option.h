// Options that take a time or a time zone.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cli/command.h"

namespace hebb::cli {

// Epoch milliseconds or RFC 3339; anything else is a usage error that says what was probably meant.
CLI::Option* add_time_option(CLI::App& command, const std::string& name,
                             std::optional<TimeMs>& time, const std::string& does);

// Parses such a time, or a duration such as 7d, which means that long before now. Throws
// Stop(kUsage).
TimeMs parse_since(const Context& context, const std::string& text);

// A function that converts a local time of the zone, given as if it were UTC, to UTC. A zone is an
// offset such as +02:00, or a name such as Europe/Berlin in the system's tzdata; else it throws
// Stop(kUsage). A time that occurs twice when clocks are set back means its first occurrence; one
// that clocks skip gets the offset before the skip. A name sets TZ for the whole process: call this
// before it has threads.
std::function<TimeMs(TimeMs)> utc_of_local(const std::string& zone);

}  // namespace hebb::cli
