// States that say that the work is over.
#pragma once

#include <string_view>

namespace hebb::reward {

// CLOSED, or another tracker's word for it (DONE, CANCELLED, …), in any case of its letters, also
// with a hyphen or a blank for the underscore.
bool is_over(std::string_view state);

}  // namespace hebb::reward
