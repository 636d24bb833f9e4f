// Where a command that writes a file writes it.
#pragma once

#include <string>
#include <string_view>

namespace hebb::cli {

// The file that was named. Where none was: "-", standard output, unless that is a terminal. Throws
// Stop then; `command` is what was called: "hebb export".
std::string out_file(std::string named, std::string_view command);

}  // namespace hebb::cli
