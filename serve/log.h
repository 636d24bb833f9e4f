// Lines of the server's log.
#pragma once

#include <string>
#include <string_view>

#include "api/field.h"

namespace hebb::serve {

enum class LogFormat : std::uint8_t { logfmt, json, none };

// What a log may hold of a request's target: the path, without parameters, the login of an address
// and what else looks like a secret.
std::string loggable(std::string_view target);

// The members of an object as `name=value`, or as JSON; nothing a value holds can begin a line or a
// name of its own.
std::string log_line(LogFormat format, const api::Json& fields);

}  // namespace hebb::serve
