// Times as people and programs write them: RFC 3339, and numbers of milliseconds.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "graph/graph.h"

namespace hebb {

using graph::TimeMs;

// Whether the text is as the form, in which 0 stands for any digit: "0000-00-00".
bool has_form(std::string_view text, std::string_view form);

// Milliseconds from an RFC 3339 time (fractions of a millisecond cut off); nullopt if it is not
// one.
std::optional<TimeMs> parse_rfc3339(std::string_view text);
std::string format_rfc3339(TimeMs time);  // to the second, "Z"

TimeMs clock_now();  // the system's time

// Reads times wherever they are given: epoch milliseconds or RFC 3339, within Limits. The string
// is an error text: why it is not a time, and what was probably meant.
using ReadTime = std::variant<TimeMs, std::string>;
ReadTime time_of_number(double milliseconds, std::string_view written);  // with all its digits
ReadTime time_of_rfc3339(std::string_view text);
ReadTime read_time(std::string_view text);  // either; for options

}  // namespace hebb
