// Makes steps from the arguments of a recorded call without code of the server: for the tools of
// @playwright/mcp and chrome-devtools-mcp, by name. Other tools give no step.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "skill/artifact/artifact.h"
#include "skill/capture/elements.h"

namespace hebb::skill {

// The steps of the call; nullopt: its arguments are not enough, or it is of another tool. `args` is
// an object.
std::optional<std::vector<Step>> steps_of_arguments(std::string_view tool, const Json& args,
                                                    const PageElements& elements);

// Why leaving out a call of this tool without a step needs a note; empty: it only looks at the
// page. `read_only`: its server's hint.
std::string_view why_no_step(std::string_view tool, std::optional<bool> read_only);

}  // namespace hebb::skill
