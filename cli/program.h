// The program as a function.
#pragma once

namespace hebb::cli {

// Runs one command line, the program's name first; its exit code. Writes to stdout and stderr.
int run_program(int argc, char** argv);

}  // namespace hebb::cli
