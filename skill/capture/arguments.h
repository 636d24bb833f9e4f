// What the arguments of a recorded call say, where no code of the server does: of the tools of
// @playwright/mcp and chrome-devtools-mcp, by name. Other tools give no step.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "skill/artifact/artifact.h"
#include "skill/capture/elements.h"

namespace hebb::skill {

// The steps that the call made; nullopt: its arguments do not say enough, or it is of no such tool.
// `args` is an object.
std::optional<std::vector<Step>> steps_of_arguments(std::string_view tool, const Json& args,
                                                    const PageElements& elements);

// Why a call of this tool that gave no step cannot be left out in silence; empty: it only looks at
// the page. `read_only`: what its server says.
std::string_view why_no_step(std::string_view tool, std::optional<bool> read_only);

}  // namespace hebb::skill
