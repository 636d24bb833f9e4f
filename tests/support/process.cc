#include "tests/support/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hebb::test {

namespace {

struct Pipe {
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
  }
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_end(std::size_t i) {
    if (ends[i] >= 0) ::close(ends[i]);
    ends[i] = -1;
  }
  std::array<int, 2> ends{-1, -1};
};

[[noreturn]] void become(const std::vector<std::string>& args, const ProcessOptions& options,
                         const Pipe& in, const Pipe& out, const Pipe& err) {
  ::dup2(in.ends[0], STDIN_FILENO);
  ::dup2(out.ends[1], STDOUT_FILENO);
  ::dup2(err.ends[1], STDERR_FILENO);
  if (!options.folder.empty() && ::chdir(options.folder.c_str()) != 0) ::_exit(126);
  for (const auto& [name, value] : options.env) ::setenv(name.c_str(), value.c_str(), 1);
  std::signal(SIGPIPE, SIG_DFL);
  std::vector<char*> argv;
  for (const auto& a : args) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  ::_exit(127);
}

// Feeds and reads at once, so that neither side waits for the other for ever.
void exchange(const std::string& text, Pipe& in, Pipe& out, Pipe& err, ProcessResult& result) {
  std::size_t written = 0;
  if (text.empty()) in.close_end(1);
  while (out.ends[0] >= 0 || err.ends[0] >= 0) {
    std::array<pollfd, 3> fds{
        {{in.ends[1], POLLOUT, 0}, {out.ends[0], POLLIN, 0}, {err.ends[0], POLLIN, 0}}};
    if (::poll(fds.data(), fds.size(), -1) < 0 && errno != EINTR) break;
    if (fds[0].revents != 0) {
      const auto n = ::write(in.ends[1], text.data() + written, text.size() - written);
      if (n > 0) written += static_cast<std::size_t>(n);
      if (n <= 0 || written == text.size()) in.close_end(1);
    }
    const auto drain = [](const pollfd& fd, Pipe& pipe, std::string& to) {
      if (fd.revents == 0) return;
      std::array<char, 65536> buffer;
      const auto n = ::read(pipe.ends[0], buffer.data(), buffer.size());
      if (n > 0) to.append(buffer.data(), static_cast<std::size_t>(n));
      if (n <= 0) pipe.close_end(0);
    };
    drain(fds[1], out, result.out);
    drain(fds[2], err, result.err);
  }
}

}  // namespace

ProcessResult run_process(const std::vector<std::string>& args, const ProcessOptions& options) {
  Pipe in, out, err;
  std::signal(SIGPIPE, SIG_IGN);
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) become(args, options, in, out, err);
  in.close_end(0);
  out.close_end(1);
  err.close_end(1);
  ::fcntl(in.ends[1], F_SETFL, O_NONBLOCK);
  ProcessResult result;
  exchange(options.in, in, out, err, result);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (result.exit_code == 127 && result.out.empty() && result.err.empty()) {
    throw std::runtime_error("cannot run " + args.front());
  }
  return result;
}

bool is_installed(const std::string& program) {
  std::istringstream folders(std::getenv("PATH"));
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

}  // namespace hebb::test
