// Options whose value has to be one of a list.
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "api/operation.h"

namespace hebb::cli {

// A check that names the choices, and the one that was probably meant.
CLI::Validator one_of(std::vector<std::string> choices);

// --tools, of the doors that speak MCP: sets which tools are listed.
CLI::Option* add_tools(CLI::App& command, api::Tool& tools);

}  // namespace hebb::cli
