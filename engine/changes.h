// What an import made different of a task.
#pragma once

#include <string>
#include <vector>

#include "engine/input/input.h"

namespace hebb {

// In a few words each, such as "is CLOSED", "priority 1", "label-ui added"; empty: nothing.
std::vector<std::string> changes_of(const HeldBefore::Node& before, const HeldBefore::Node& after);

}  // namespace hebb
