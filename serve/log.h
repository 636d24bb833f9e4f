// Lines of the server's log.
#pragma once

#include <string>

#include "api/field.h"

namespace hebb::serve {

enum class LogFormat : std::uint8_t { logfmt, json, none };

// The members of an object as `name=value`, or as JSON; nothing a value holds can begin a line or a
// name of its own.
std::string log_line(LogFormat format, const api::Json& fields);

}  // namespace hebb::serve
