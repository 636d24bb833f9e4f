// A vector from a file, for commands that take one.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace hebb::cli {

// A JSON array of numbers; "-" is stdin. Throws Stop, UnreadableInput.
std::vector<float> read_vector(const std::string& file);

}  // namespace hebb::cli
