// Printing tests as a test runner takes them.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"

namespace hebb::cli {

// Throws api::Problem if the runner does not take so many at a time. smaller: the options by which
// there would be fewer.
void print_for_runner(const Context& context, const std::string& runner,
                      const std::vector<std::string>& selectors, const char* smaller);

}  // namespace hebb::cli
