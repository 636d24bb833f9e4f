// Runs a shell command of the user's beside what hebb is at.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"

namespace hebb::cli {

struct ShellRun {
  std::string wrong;   // what was wrong with it: "ended with exit code 7"; empty: nothing
  std::string output;  // the end of what it wrote to its standard output and error
};

// `in` is its standard input, and `variables` are set besides hebb's own. After most_ms it is
// killed, with what it has started; else what it leaves running goes on, with nobody to read what
// that writes. Any thread; throws nothing.
ShellRun run_shell_command(const std::string& command, const std::string& in,
                           const std::vector<std::pair<std::string, std::string>>& variables,
                           TimeMs most_ms) noexcept;

}  // namespace hebb::cli
