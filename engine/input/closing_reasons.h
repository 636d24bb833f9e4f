// What the reasons say for which trackers close their tasks: one table for all of them.
#pragma once

#include <cstdint>
#include <string_view>

namespace hebb::input {

enum class ClosingReason : std::uint8_t { done, not_done, failed, unknown };

// Of what a person wrote. Whole phrases at the beginning decide, in any case: "Duplicate of b-7"
// and "closed as stale" are not done. Everything else is done, "Duplicate rows are refused" too.
ClosingReason reason_of_text(std::string_view reason);

// Of a field that has one of a few values, such as Jira's resolution: a value of which nothing is
// known is unknown. Nothing is done.
ClosingReason reason_of_field(std::string_view reason);

}  // namespace hebb::input
