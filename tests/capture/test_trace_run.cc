// Real processes and real pipes: what the reader of our output gets, and how a run ends.
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/trace/run.h"

namespace hebb::capture::test {
namespace {

using Command = std::vector<std::string>;

const std::string kTrace =
    R"(__TRACE__{"type":"tool_start","tool":"a","trace_id":"1","ts":5})"
    "\n"
    R"(__TRACE__{"type":"tool_end","trace_id":"1","success":true,"duration_ms":5})"
    "\n";

struct Ends {
  Ends() { REQUIRE(pipe2(ends, O_CLOEXEC) == 0); }
  ~Ends() {
    shut(0);
    shut(1);
  }
  void shut(int end) {
    if (ends[end] >= 0) close(ends[end]);
    ends[end] = -1;
  }
  int ends[2];
};

std::string read_to_end(int fd) {
  std::string all;
  char buffer[4096];
  for (;;) {
    const ssize_t n = read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return all;
    all.append(buffer, static_cast<std::size_t>(n));
  }
}

// A trace in a process of its own, which ends as the trace does.
pid_t start_trace(const TraceRunOptions& options) {
  const pid_t pid = fork();
  if (pid == 0) end_like(run_trace(options).end);
  return pid;
}

// Waits, without a clock, until it holds.
template <class Condition>
void await(Condition holds) {
  while (!holds()) sched_yield();
}

// Dead, reaped or not.
bool is_dead(pid_t pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(status, text);
  const auto state = text.rfind(')') + 2;  // the name before it may hold anything
  return text.size() <= state || text[state] == 'Z' || text[state] == 'X';
}

// Nothing more goes into the pipe: whoever writes to it waits.
bool is_full(int pipe) {
  int bytes = 0;
  REQUIRE(ioctl(pipe, FIONREAD, &bytes) == 0);
  // A page that was read from, and one that was begun, take no more.
  return bytes >= fcntl(pipe, F_GETPIPE_SZ) - 2 * 4096;
}

// Told to end, once.
int terminate(pid_t pid) {
  kill(pid, SIGTERM);
  int status = 0;
  REQUIRE(waitpid(pid, &status, 0) == pid);
  return status;
}

// So that the signal does not end this thread, and the process with it, where the run has to get
// it.
void block(int number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

// The numbers in the first line.
std::vector<pid_t> read_pids(int fd) {
  std::string line;
  for (char c = 0; read(fd, &c, 1) == 1 && c != '\n';) line += c;
  std::istringstream words(line);
  std::vector<pid_t> pids;
  for (pid_t pid = 0; words >> pid;) pids.push_back(pid);
  return pids;
}

struct Ran {
  TraceRun run;
  std::string output;
};

Ran run_traced(const Command& command) {
  Ends out;
  Ran ran;
  std::thread reader([&] { ran.output = read_to_end(out.ends[0]); });
  TraceRunOptions options;
  options.command = command;
  options.out = out.ends[1];
  ran.run = run_trace(options);
  out.shut(1);
  reader.join();
  return ran;
}

Ran shell(const std::string& script) { return run_traced({"sh", "-c", script}); }

std::string in_quotes(const std::string& text) { return "'" + text + "'"; }

}  // namespace

TEST_CASE("a command's output is handed on without its traces") {
  const auto ran = shell("printf 'one\\n'; printf '%s' " + in_quotes(kTrace) + "; printf 'two'");
  CHECK(ran.output == "one\ntwo");
  CHECK(ran.run.end.exit_code == 0);
  CHECK(ran.run.end.signal == 0);
  CHECK(ran.run.lines.events == 2);
  CHECK(ran.run.fold.counts().succeeded == 1);
  CHECK(ran.run.error.empty());
}

TEST_CASE("bytes of every kind pass a command unchanged") {
  const auto ran =
      shell("head -c 3000000 /dev/zero; printf '\\377\\000\\r\\n'; printf '\\n\\n__TRACE_'");
  using namespace std::string_literals;
  CHECK(ran.output == std::string(3000000, '\0') + "\xff\0\r\n\n\n__TRACE_"s);
}

TEST_CASE("exit codes and signals are handed on") {
  CHECK(shell("exit 7").run.end.exit_code == 7);
  const auto killed = shell("kill -TERM $$");
  CHECK(killed.run.end.signal == SIGTERM);
  CHECK(killed.run.end.exit_code == 128 + SIGTERM);
}

TEST_CASE("a command that cannot be started is an error with its reason") {
  TraceRunOptions options;
  options.command = {"/no/such/program"};
  try {
    run_trace(options);
    FAIL("it started");
  } catch (const std::system_error& e) {
    CHECK(e.code().value() == ENOENT);
  }
  options.command = {"/etc/passwd"};
  CHECK_THROWS_AS(run_trace(options), std::system_error);
  CHECK(shell("exit 3").run.end.exit_code == 3);  // and the next run is none the worse
}

TEST_CASE("a signal sent to us reaches the command, and ours is as it was afterwards") {
  Ends out;
  std::thread sender([&] {
    block(SIGUSR1);
    char ready = 0;
    while (read(out.ends[0], &ready, 1) < 0 && errno == EINTR) {
    }
    kill(getpid(), SIGUSR1);
    read_to_end(out.ends[0]);
  });
  TraceRunOptions options;
  options.command = {"sh", "-c", "trap 'exit 9' USR1; echo ready; while :; do sleep 0.01; done"};
  options.out = out.ends[1];
  const auto run = run_trace(options);
  out.shut(1);
  sender.join();
  CHECK(run.end.exit_code == 9);
  struct sigaction now {};
  sigaction(SIGUSR1, nullptr, &now);
  CHECK(now.sa_handler == SIG_DFL);
}

TEST_CASE("the command dies of SIGPIPE when nobody reads, as it would without us") {
  Ends out;
  out.shut(0);
  TraceRunOptions options;
  options.command = {"yes"};
  options.out = out.ends[1];
  const auto run = run_trace(options);
  CHECK(run.end.signal == SIGPIPE);
  CHECK(run.error.empty());
}

TEST_CASE("an output that cannot be written is told") {
  TraceRunOptions options;
  options.command = {"echo", "hello"};
  options.out = open("/dev/full", O_WRONLY | O_CLOEXEC);
  REQUIRE(options.out >= 0);
  const auto run = run_trace(options);
  close(options.out);
  CHECK(run.error.find("No space left") != std::string::npos);
}

TEST_CASE("what a command's descendants still write is part of the output") {
  // The shell is dead by then, and reaped by nobody yet.
  const auto ran =
      shell("(while grep -qs '^State:.[^ZX]' /proc/$$/status; do :; done; echo late) & echo early");
  CHECK(ran.output == "early\nlate\n");
}

TEST_CASE("as a filter: from one descriptor to another, whatever its pace") {
  Ends in;
  Ends out;
  std::string output;
  std::thread reader([&] { output = read_to_end(out.ends[0]); });
  std::thread writer([&] {
    for (const char c : "a\n" + kTrace + "b") {
      while (write(in.ends[1], &c, 1) != 1) {
      }
    }
    in.shut(1);
  });
  TraceRunOptions options;
  options.in = in.ends[0];
  options.out = out.ends[1];
  fcntl(in.ends[0], F_SETFL, O_NONBLOCK);
  fcntl(out.ends[1], F_SETFL, O_NONBLOCK);
  const auto run = run_trace(options);
  out.shut(1);
  writer.join();
  reader.join();
  CHECK(output == "a\nb");
  CHECK(run.end.exit_code == 0);
  CHECK(run.fold.counts().succeeded == 1);
}

TEST_CASE("a filter whose reader is gone ends like one") {
  Ends in;
  Ends out;
  out.shut(0);
  REQUIRE(write(in.ends[1], "hello\n", 6) == 6);
  TraceRunOptions options;
  options.in = in.ends[0];
  options.out = out.ends[1];
  CHECK(run_trace(options).end.signal == SIGPIPE);
}

TEST_CASE("a filter that is told to end keeps what it saw") {
  Ends in;
  Ends out;
  std::thread sender([&] {
    block(SIGTERM);
    const std::string text = kTrace + "x\n";
    REQUIRE(write(in.ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    char c = 0;
    while (read(out.ends[0], &c, 1) != 1) {
    }
    kill(getpid(), SIGTERM);
  });
  TraceRunOptions options;
  options.in = in.ends[0];
  options.out = out.ends[1];
  const auto run = run_trace(options);
  sender.join();
  CHECK(run.end.signal == SIGTERM);
  CHECK(run.fold.counts().succeeded == 1);
}

TEST_CASE("a filter whose reader does not read can be told to end") {
  Ends out;
  TraceRunOptions options;
  options.in = open("/dev/zero", O_RDONLY);
  options.out = out.ends[1];
  const pid_t pid = start_trace(options);
  close(options.in);
  out.shut(1);
  char c = 0;
  REQUIRE(read(out.ends[0], &c, 1) == 1);
  await([&] { return is_full(out.ends[0]); });
  const int status = terminate(pid);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGTERM);
}

TEST_CASE("the wait for what a dead command left behind can be ended") {
  Ends out;
  TraceRunOptions options;
  options.command = {"sh", "-c", "sleep 60 >&1 & echo $! $$; exit 3"};
  options.out = out.ends[1];
  const pid_t pid = start_trace(options);
  out.shut(1);
  const auto pids = read_pids(out.ends[0]);
  REQUIRE(pids.size() == 2);
  await([&] { return is_dead(pids[1]); });
  const int status = terminate(pid);
  kill(pids[0], SIGKILL);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 3);
}

TEST_CASE("what a dead command has written is delivered before a stop") {
  Ends out;
  Ends go;
  TraceRunOptions options;
  options.command = {"sh", "-c", "sleep 60 >&1 & echo $! $$; read line; echo last; exit 3"};
  options.out = out.ends[1];
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(go.ends[0], STDIN_FILENO);
    end_like(run_trace(options).end);
  }
  out.shut(1);
  const auto pids = read_pids(out.ends[0]);
  REQUIRE(pids.size() == 2);
  // It is told to end while the last line waits for it.
  kill(pid, SIGSTOP);
  REQUIRE(waitpid(pid, nullptr, WUNTRACED) == pid);
  REQUIRE(write(go.ends[1], "\n", 1) == 1);
  await([&] { return is_dead(pids[1]); });
  kill(pid, SIGTERM);
  kill(pid, SIGCONT);
  CHECK(read_to_end(out.ends[0]) == "last\n");
  int status = 0;
  REQUIRE(waitpid(pid, &status, 0) == pid);
  kill(pids[0], SIGKILL);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 3);
}

TEST_CASE("where a dead command's output is not taken the end is the signal's") {
  Ends out;
  TraceRunOptions options;
  // More than one pipe holds, less than two.
  options.command = {"sh", "-c", "sleep 60 >&1 & echo $! $$; head -c 1500000 /dev/zero; exit 3"};
  options.out = out.ends[1];
  const pid_t pid = start_trace(options);
  out.shut(1);
  const auto pids = read_pids(out.ends[0]);
  REQUIRE(pids.size() == 2);
  await([&] { return is_dead(pids[1]) && is_full(out.ends[0]); });
  const int status = terminate(pid);
  kill(pids[0], SIGKILL);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGTERM);
}

TEST_CASE("a parent that ignores SIGCHLD changes nothing") {
  signal(SIGCHLD, SIG_IGN);
  const auto ended = shell("exit 7");
  const auto killed = shell("kill -SEGV $$");
  // As the command finds it: 17 is SIGCHLD, the 17th bit from the right.
  const auto seen = run_traced({"grep", "SigIgn", "/proc/self/status"});
  signal(SIGCHLD, SIG_DFL);
  CHECK(ended.run.end.exit_code == 7);
  CHECK(killed.run.end.signal == SIGSEGV);
  CHECK((std::stoull(seen.output.substr(8), nullptr, 16) >> (SIGCHLD - 1) & 1) == 1);
}

TEST_CASE("a process can end as another one did") {
  for (const ProcessEnd& end :
       {ProcessEnd{42, 0}, ProcessEnd{128 + SIGKILL, SIGKILL}, ProcessEnd{128 + SIGINT, SIGINT}}) {
    const pid_t pid = fork();
    if (pid == 0) end_like(end);
    int status = 0;
    REQUIRE(waitpid(pid, &status, 0) == pid);
    if (end.signal != 0) {
      CHECK(WIFSIGNALED(status));
      CHECK(WTERMSIG(status) == end.signal);
    } else {
      CHECK(WEXITSTATUS(status) == end.exit_code);
    }
  }
}

}  // namespace hebb::capture::test
