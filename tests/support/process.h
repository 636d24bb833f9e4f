// Runs a program as a user would: arguments, standard input, environment; what it printed and how
// it ended.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/support/folder.h"

namespace hebb::test {

struct ProcessOptions {
  std::string in;                                        // standard input, then its end
  std::vector<std::pair<std::string, std::string>> env;  // beside what this process has
  std::string folder;                                    // to run in; empty: where this one is
};

struct ProcessResult {
  int exit_code = -1;  // 128 + the signal that ended it, as a shell says it
  std::string out, err;
};

// args[0] is the program, looked for in PATH unless it has a slash. Throws std::runtime_error if it
// cannot be started.
ProcessResult run_process(const std::vector<std::string>& args, const ProcessOptions& options = {});

bool is_installed(const std::string& program);  // found in PATH

}  // namespace hebb::test
