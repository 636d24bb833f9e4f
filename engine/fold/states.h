// The states that hebb knows, and the texts that it takes for them.
#pragma once

#include <string_view>

namespace hebb {

inline constexpr std::string_view kOpen = "OPEN";
// The state of a task after a success, which closes only tasks in another state.
inline constexpr std::string_view kClosed = "CLOSED";

// The name under which the fold keeps a state. A known one (OPEN, IN_PROGRESS, BLOCKED, DEFERRED,
// CLOSED) is meant in any case of its letters, also with a hyphen or a blank for the underscore;
// any other stays as it is.
std::string_view kept_state(std::string_view given);
bool is_known_state(std::string_view given);

// Whether a node of that type that came without a state is OPEN: TASK, in any case.
bool is_task_type(std::string_view type);

}  // namespace hebb
