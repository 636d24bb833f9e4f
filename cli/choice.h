// An option whose value has to be one of a list.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace hebb::cli {

// A check that names the choices, and the one that was probably meant.
CLI::Validator one_of(std::vector<std::string> choices);

}  // namespace hebb::cli
