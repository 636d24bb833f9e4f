#include "tests/support/terminal.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <stdexcept>

#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

namespace hebb::test {

namespace {

// Nothing is echoed and no byte is changed on its way out.
termios plain() {
  termios t{};
  t.c_iflag = ICRNL;
  t.c_cflag = CS8 | CREAD;
  t.c_lflag = ICANON;
  t.c_cc[VEOF] = 4;
  t.c_cc[VMIN] = 1;
  cfsetspeed(&t, B38400);
  return t;
}

[[noreturn]] void become(const std::vector<std::string>& args, const ProcessOptions& options) {
  if (!options.folder.empty() && ::chdir(options.folder.c_str()) != 0) ::_exit(126);
  for (const auto& [name, value] : options.env) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> argv;
  for (const auto& a : args) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  ::_exit(127);
}

}  // namespace

ProcessResult run_on_terminal(const std::vector<std::string>& args, const ProcessOptions& options,
                              const Terminal& terminal) {
  const termios settings = plain();
  const winsize size{terminal.lines, terminal.columns, 0, 0};
  int master = -1;
  const pid_t child = ::forkpty(&master, nullptr, &settings, &size);
  if (child < 0) throw std::runtime_error("forkpty failed");
  if (child == 0) become(args, options);
  const std::string typed = options.in + '\4';
  if (::write(master, typed.data(), typed.size()) != static_cast<ssize_t>(typed.size())) {
    throw std::runtime_error("cannot type on the terminal");
  }
  ProcessResult result;
  std::array<char, 65536> buffer;
  for (;;) {
    const auto n = ::read(master, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;  // EIO: nobody has the terminal open any more
    result.out.append(buffer.data(), static_cast<std::size_t>(n));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  ::close(master);
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return result;
}

}  // namespace hebb::test
