// What a recorded call's name and arguments say, where no code of the server does.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "skill/artifact/artifact.h"
#include "skill/capture/elements.h"

namespace hebb::skill {

// The steps that the call made; nullopt: its arguments do not say enough.
std::optional<std::vector<Step>> steps_of_arguments(std::string_view tool, const Json& args,
                                                    const PageElements& elements);

// Whether a tool of this name only looks at a page. `read_only`: what its server says.
bool only_looks(std::string_view tool, std::optional<bool> read_only);

// Why a call of this tool gives no step.
std::string_view why_no_step(std::string_view tool);

}  // namespace hebb::skill
