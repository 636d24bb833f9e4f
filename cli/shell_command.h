// Runs a shell command of the user.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/command.h"

namespace hebb::cli {

struct ShellRun {
  std::string wrong;   // why it failed: "ended with exit code 7"; empty: it succeeded
  std::string output;  // the end of its standard output and error
};

// `in` is its standard input, and `variables` are set besides hebb's own. After most_ms its process
// group is killed; otherwise processes that it leaves behind go on, and their output is lost. Any
// thread; throws nothing.
ShellRun run_shell_command(const std::string& command, const std::string& in,
                           const std::vector<std::pair<std::string, std::string>>& variables,
                           TimeMs most_ms) noexcept;

}  // namespace hebb::cli
