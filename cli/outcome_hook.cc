#include "cli/outcome_hook.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/field.h"
#include "engine/input/input.h"

namespace hebb::cli {

namespace {

// A file descriptor that is closed with it.
class Descriptor {
 public:
  explicit Descriptor(int fd, const char* what) : fd_(fd) {
    if (fd_ < 0) throw std::system_error(errno, std::generic_category(), what);
  }
  ~Descriptor() { close(fd_); }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

// In memory rather than a pipe, so that a command that reads nothing holds nobody up.
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

// In a process group of its own, with `in` as its standard input and our stderr as its standard
// output, which may be a protocol's. No other file of ours is open in it.
pid_t start(const std::string& command, int in, std::vector<std::string> variables) {
  for (char** e = environ; *e != nullptr; ++e) {
    const std::string_view one = *e;
    const bool ours = one.starts_with("HEBB_TASK=") || one.starts_with("HEBB_OUTCOME=") ||
                      one.starts_with("HEBB_EVENT=") || one.starts_with("HEBB_AGENT=");
    if (!ours) variables.emplace_back(one);
  }
  std::vector<std::string> words{"/bin/sh", "-c", command};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, STDERR_FILENO, STDOUT_FILENO);
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

// What was wrong with the run; empty: nothing.
std::string wait_for(pid_t pid, TimeMs most_ms) {
  bool late = false;
  {
    // glibc 2.36 declares pidfd_open() for C alone.
    const Descriptor process(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)), "pidfd_open");
    pollfd ended{process.get(), POLLIN, 0};
    int ready = 0;
    do {
      ready = poll(&ended, 1, static_cast<int>(most_ms));
    } while (ready < 0 && errno == EINTR);
    late = ready == 0;
  }
  if (late) kill(-pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0) {
    if (errno != EINTR) return {};  // whoever started hebb wants no ends of its children
  }
  if (late) return fmt::format("took longer than {} ms and was killed", most_ms);
  if (WIFSIGNALED(status)) return fmt::format("was ended by signal {}", WTERMSIG(status));
  if (WEXITSTATUS(status) != 0) return fmt::format("ended with exit code {}", WEXITSTATUS(status));
  return {};
}

}  // namespace

OutcomeHook::OutcomeHook(std::string command, TimeMs most_ms, Warn warn)
    : command_(std::move(command)), most_ms_(most_ms), warn_(std::move(warn)) {
  // Signals are for the other threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  thread_ = std::thread([this] { run_all(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

OutcomeHook::~OutcomeHook() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

OutcomeHook::Told OutcomeHook::told_of(const Event& outcome) {
  const auto& said = std::get<OutcomeSignal>(outcome.payload);
  const std::string name(outcome_name(said.outcome));
  const Json given = said.input.empty() ? Json::object() : Json::parse(said.input);
  std::string agent;
  if (const auto it = given.find("agentId"); it != given.end() && it->is_string())
    agent = it->get<std::string>();
  Json json{{"task", outcome.subject}, {"outcome", name}, {"score", said.score}};
  if (!agent.empty()) json["agent"] = agent;
  json["at"] = format_rfc3339(outcome.at);
  json["event"] = outcome.position;
  json["given"] = given;
  return {{"HEBB_TASK=" + outcome.subject, "HEBB_OUTCOME=" + name,
           fmt::format("HEBB_EVENT={}", outcome.position), "HEBB_AGENT=" + agent},
          json.dump() + "\n",
          fmt::format("for the {} of {} (event {})", name, outcome.subject, outcome.position)};
}

void OutcomeHook::take(const Event& outcome) {
  Told told = told_of(outcome);
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(told));
  }
  changed_.notify_one();
}

void OutcomeHook::run_all() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const Told told = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    run(told);
    lock.lock();
  }
}

void OutcomeHook::run(const Told& told) const {
  std::string wrong;
  try {
    const Descriptor in(memfd_create("outcome", MFD_CLOEXEC), "memfd_create");
    fill(in, told.json);
    wrong = wait_for(start(command_, in.get(), told.variables), most_ms_);
  } catch (const std::exception& e) {
    wrong = fmt::format("could not be run: {}", e.what());
  }
  if (!wrong.empty())
    warn_(fmt::format("warning: the command of --on-outcome {} {}; the outcome counts all the same",
                      told.what, wrong));
}

void add_outcome_hook(CLI::App& command, Context& context) {
  command
      .add_option("--on-outcome", context.on_outcome,
                  "A shell command to run after each outcome, with HEBB_TASK, HEBB_OUTCOME, "
                  "HEBB_EVENT and HEBB_AGENT, and JSON on its standard input")
      ->type_name("COMMAND");
  command
      .add_option_function<std::string>(
          "--on-outcome-timeout",
          [&context](const std::string& text) {
            const auto span = api::parse_duration(text);
            constexpr TimeMs kMost = 24 * 3'600'000;
            if (!span || *span < 1 || *span > kMost) {
              throw CLI::ValidationError("--on-outcome-timeout",
                                         "has to be a span of at most a day, such as 30s or 2m");
            }
            context.on_outcome_ms = *span;
          },
          "How long a run of it may take; then it is killed (default 60s)")
      ->type_name("SPAN");
}

std::function<void(const Event&)> outcome_listener(const Context& context, OutcomeHook::Warn warn) {
  if (context.on_outcome.empty()) return {};
  if (!context.outcome_hook) {
    if (!warn) warn = [&context](const std::string& text) { context.note(text); };
    context.outcome_hook =
        std::make_shared<OutcomeHook>(context.on_outcome, context.on_outcome_ms, std::move(warn));
  }
  return [&hook = *context.outcome_hook](const Event& outcome) { hook.take(outcome); };
}

}  // namespace hebb::cli
