// Only main(); the program itself is run_program().
#include <initializer_list>

#include <fcntl.h>
#include <unistd.h>

#include "cli/program.h"

namespace {

// Opens closed standard descriptors so that they stay unusable, but no file of ours gets their
// numbers.
void hold_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    const int wrong_way = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;
    [[maybe_unused]] const int held = open("/dev/null", wrong_way | O_CLOEXEC);
  }
}

}  // namespace

int main(int argc, char** argv) {
  hold_standard_descriptors();
  return hebb::cli::run_program(argc, argv);
}
