// Names and descriptions in a table.
#pragma once

#include <string>

namespace hebb::cli {

// One line of at most 60 columns.
std::string shortened(std::string text);

}  // namespace hebb::cli
