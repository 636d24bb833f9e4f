// The meaning of the reasons for which trackers close tasks: one table for all trackers.
#pragma once

#include <cstdint>
#include <string_view>

namespace hebb::input {

enum class ClosingReason : std::uint8_t { done, not_done, failed, unknown };

// For a text that a person wrote. Whole phrases at the beginning decide, in any case: "Duplicate of
// b-7" and "closed as stale" are not done. Everything else is done, "Duplicate rows are refused"
// too.
ClosingReason reason_of_text(std::string_view reason);

// For a field that has one of a few values, such as Jira's resolution: any other value is unknown,
// and an empty one is done.
ClosingReason reason_of_field(std::string_view reason);

}  // namespace hebb::input
