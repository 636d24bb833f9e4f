// Scripts that check hebb against programs of others, and say so where those are not here.
#pragma once

#include <string>
#include <vector>

#include "tests/support/process.h"

namespace hebb::test {

// A test that passes where the command ends with 0, and counts as skipped, for the reason on its
// standard output, where it ends with 77. What it printed is shown where it fails.
void run_script(const std::vector<std::string>& command, const ProcessOptions& options = {});

// A script of tests/ROOM/node, by tests/node/run.sh. The packages of others are installed once,
// into `node` in the folder where this process is.
void run_in_node(const std::string& room, const std::string& script,
                 const ProcessOptions& options = {});

}  // namespace hebb::test
