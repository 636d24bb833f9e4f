// Scripts that check hebb against programs of others, and say so where those are not here.
#pragma once

#include <string>
#include <vector>

#include "tests/support/process.h"

namespace hebb::test {

// A test that passes where the command ends with 0, and counts as skipped, for the reason on its
// standard output, where it ends with 77. What it printed is shown where it fails.
void run_script(const std::vector<std::string>& command, const ProcessOptions& options = {});

// A script of tests/FOLDER/node, by the run.sh there. The packages of its package-lock.json are
// installed into `work`, in the folder where this process is.
void run_in_node(const std::string& folder, const std::string& work, const std::string& script,
                 const ProcessOptions& options = {});

}  // namespace hebb::test
