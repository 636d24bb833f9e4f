// The note that tasks block one another (engine/fold/blocking.h).
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace hebb::cli {

// Prints it on stderr; nothing if there is no cycle.
void note_blocking_cycle(const Context& context, const std::vector<std::string>& cycle);

}  // namespace hebb::cli
