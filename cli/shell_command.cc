#include "cli/shell_command.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hebb::cli {

namespace {

// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor(int fd, const char* what) : fd_(fd) {
    if (fd_ < 0) throw std::system_error(errno, std::generic_category(), what);
  }
  ~Descriptor() { close(fd_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

// Standard input is in memory, since a pipe would block if the command reads nothing.
void fill(const Descriptor& file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(file.get(), text.data(), text.size());
    if (written < 0) throw std::system_error(errno, std::generic_category(), "write");
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  lseek(file.get(), 0, SEEK_SET);
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

std::vector<std::string> environment(
    const std::vector<std::pair<std::string, std::string>>& variables) {
  std::vector<std::string> all;
  for (const auto& [name, value] : variables) all.push_back(name + "=" + value);
  for (char** e = environ; *e != nullptr; ++e) {
    const std::string_view one = *e;
    const bool set = std::any_of(variables.begin(), variables.end(), [&](const auto& v) {
      return one.starts_with(v.first) && one.substr(v.first.size()).starts_with('=');
    });
    if (!set) all.emplace_back(one);
  }
  return all;
}

// Starts the command in its own process group, without our open files.
pid_t start(const std::string& command, int in, int out, std::vector<std::string> variables) {
  std::vector<std::string> words{"/bin/sh", "-c", command};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, out, STDERR_FILENO);
  posix_spawn_file_actions_addclosefrom_np(&files, STDERR_FILENO + 1);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  pid_t pid = -1;
  const int error = posix_spawn(&pid, words[0].c_str(), &files, &attributes, pointers(words).data(),
                                pointers(variables).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) throw std::system_error(error, std::generic_category(), words[0]);
  return pid;
}

// Appends the available output and keeps its end. False: all writers have closed it.
bool take_output(int fd, std::string& output) {
  constexpr std::size_t kKept = 4096;
  constexpr int kMostReads = 64;  // endless output must not block
  std::array<char, 16 << 10> piece;
  for (int i = 0; i < kMostReads; ++i) {
    const ssize_t got = read(fd, piece.data(), piece.size());
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    if (got == 0) return false;
    output.append(piece.data(), static_cast<std::size_t>(got));
    if (output.size() > kKept) output.erase(0, output.size() - kKept);
  }
  return true;
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return fmt::format("was ended by signal {}", WTERMSIG(status));
  if (WEXITSTATUS(status) != 0) return fmt::format("ended with exit code {}", WEXITSTATUS(status));
  return {};
}

ShellRun wait_for(pid_t pid, const Descriptor& out, TimeMs most_ms) {
  using std::chrono::steady_clock;
  const auto until = steady_clock::now() + std::chrono::milliseconds(most_ms);
  ShellRun run;
  pollfd output{out.get(), POLLIN, 0};
  int status = 0;
  for (int pause_ms = 1;; pause_ms = std::min(2 * pause_ms, 50)) {
    poll(&output, 1, pause_ms);
    if (output.fd >= 0 && !take_output(out.get(), run.output)) output.fd = -1;
    if (waitpid(pid, &status, WNOHANG) == pid) {
      take_output(out.get(), run.output);
      run.wrong = how_it_ended(status);
      return run;
    }
    if (steady_clock::now() < until) continue;
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);  // if it has left its group
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    run.wrong = fmt::format("took longer than {} ms and was killed", most_ms);
    return run;
  }
}

}  // namespace

ShellRun run_shell_command(const std::string& command, const std::string& in,
                           const std::vector<std::pair<std::string, std::string>>& variables,
                           TimeMs most_ms) noexcept {
  try {
    const Descriptor text(memfd_create("in", MFD_CLOEXEC), "memfd_create");
    fill(text, in);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) ends[0] = ends[1] = -1;
    const Descriptor out(ends[0], "pipe2");
    fcntl(out.get(), F_SETFL, O_NONBLOCK);
    pid_t pid = -1;
    {
      const Descriptor written(ends[1], "pipe2");
      pid = start(command, text.get(), written.get(), environment(variables));
    }
    return wait_for(pid, out, most_ms);
  } catch (const std::exception& e) {
    return {fmt::format("could not be run: {}", e.what()), {}};
  }
}

}  // namespace hebb::cli
