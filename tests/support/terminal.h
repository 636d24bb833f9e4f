// Runs a program on a pseudo-terminal: standard input, output and error are one terminal, and what
// comes back is every byte that it was sent.
#pragma once

#include <string>
#include <vector>

#include "tests/support/process.h"

namespace hebb::test {

struct Terminal {
  unsigned short columns = 80, lines = 24;
};

// `out` has all output, `err` nothing; options.in is typed, and then the end of input.
ProcessResult run_on_terminal(const std::vector<std::string>& args,
                              const ProcessOptions& options = {}, const Terminal& terminal = {});

}  // namespace hebb::test
