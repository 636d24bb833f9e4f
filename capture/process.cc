#include "capture/process.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hebb::capture {
namespace {

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

std::vector<char*> argument_pointers(const std::vector<std::string>& command) {
  std::vector<char*> pointers;
  for (const auto& word : command) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

ProcessEnd process_end(int status) {
  if (WIFSIGNALED(status)) return {128 + WTERMSIG(status), WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

Pipe::Pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail(errno, "pipe");
  for (int& end : ends) {
    if (end > STDERR_FILENO) continue;
    const int above = fcntl(end, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    ::close(std::exchange(end, above));
  }
  read = ends[0];
  write = ends[1];
}

Pipe::~Pipe() {
  if (read >= 0) ::close(read);
  if (write >= 0) ::close(write);
}

pid_t spawn(const std::vector<std::string>& command, int in, int out,
            const std::function<void()>& in_child) {
  const std::vector<char*> argv = argument_pointers(command);
  Pipe report;
  const pid_t pid = fork();
  if (pid < 0) fail(errno, "fork");
  if (pid == 0) {
    if (in >= 0) dup2(in, STDIN_FILENO);
    if (out >= 0) dup2(out, STDOUT_FILENO);
    in_child();
    execvp(argv[0], argv.data());
    const int error = errno;
    const auto written = write(report.write, &error, sizeof error);
    _exit(written == sizeof error ? 127 : 126);
  }
  close(std::exchange(report.write, -1));
  int error = 0;
  ssize_t got = 0;
  while ((got = read(report.read, &error, sizeof error)) < 0 && errno == EINTR) {
  }
  if (got == sizeof error) {
    waitpid(pid, nullptr, 0);
    fail(error, command[0]);
  }
  return pid;
}

void replace_process(const std::vector<std::string>& command) {
  execvp(command[0].c_str(), argument_pointers(command).data());
  fail(errno, command[0]);
}

void end_like(const ProcessEnd& end) {
  if (end.signal != 0) {
    const rlimit no_core{0, 0};  // the program has written its own core file
    setrlimit(RLIMIT_CORE, &no_core);
    signal(end.signal, SIG_DFL);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, end.signal);
    sigprocmask(SIG_UNBLOCK, &only, nullptr);
    raise(end.signal);
  }
  _exit(end.exit_code);
}

}  // namespace hebb::capture
