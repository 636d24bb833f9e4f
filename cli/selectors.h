// Printing tests as a test runner takes them.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace hebb::cli {

// Throws api::Problem if the runner does not take so many at a time.
void print_for_runner(const Context& context, const std::string& runner,
                      const std::vector<std::string>& selectors);

}  // namespace hebb::cli
