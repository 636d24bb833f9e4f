// Options that take a time.
#pragma once

#include <optional>
#include <string>

#include "cli/command.h"

namespace hebb::cli {

// Epoch milliseconds or RFC 3339; what is neither is a mistake of usage that says what was probably
// meant.
CLI::Option* add_time_option(CLI::App& command, const std::string& name,
                             std::optional<TimeMs>& time, const std::string& does);

}  // namespace hebb::cli
