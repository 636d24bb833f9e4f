// A relay with its ends held by the test: how it stops, and what it leaves of its descriptors.
#include <atomic>
#include <cerrno>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/process.h"
#include "capture/relay.h"

namespace hebb::capture::test {
namespace {

// A program that has ended, while another process may still hold its stdout open. A signal ends the
// relay.
class EndedProgram : public OtherSide {
 public:
  int out() const override { return stdout_.read; }
  bool ended() override { return true; }
  bool signal(const ArrivedSignal&) override { return true; }

  void write(const std::string& text) {
    REQUIRE(::write(stdout_.write, text.data(), text.size()) == std::ssize(text));
  }
  void close_stdout() { close(std::exchange(stdout_.write, -1)); }

 private:
  Pipe stdout_;
};

std::atomic<int> interrupts = 0;

// Fills the pipe; returns how many bytes that took.
std::size_t fill(int pipe) {
  const int flags = fcntl(pipe, F_GETFL);
  fcntl(pipe, F_SETFL, flags | O_NONBLOCK);
  std::size_t bytes = 0;
  while (write(pipe, "x", 1) == 1) ++bytes;
  fcntl(pipe, F_SETFL, flags);
  return bytes;
}

bool sleeps(pid_t thread) {
  std::ifstream status("/proc/self/task/" + std::to_string(thread) + "/stat");
  std::string text;
  std::getline(status, text);
  return text.find(") S ") != std::string::npos;
}

// Without a clock.
template <class Condition>
void await(Condition holds) {
  while (!holds()) sched_yield();
}

}  // namespace

TEST_CASE("relay: a write that is blocked when a signal comes is completed if its reader goes on") {
  EndedProgram program;
  Pipe out;
  const std::size_t before = fill(out.write);
  const HeldSignals signals{SIGTERM};
  interrupts = 0;
  struct sigaction count {};
  count.sa_handler = [](int) { ++interrupts; };
  sigaction(interrupting_signal(), &count, nullptr);  // `signals` restores it
  std::atomic<pid_t> writing = 0;
  Relay relay(signals, {}, [&](std::string_view bytes, const Relay::Write& write) {
    writing = static_cast<pid_t>(syscall(SYS_gettid));
    write({&bytes, 1});
  });
  program.write("last words");
  std::string taken;
  std::thread reader([&] {
    await([&] { return writing != 0 && sleeps(writing); });
    kill(getpid(), SIGTERM);
    await([] { return interrupts > 0; });
    while (taken.size() < before + 10) {
      char buffer[4096];
      const ssize_t got = read(out.read, buffer, sizeof buffer);
      if (got <= 0) break;
      taken.append(buffer, static_cast<std::size_t>(got));
    }
  });
  const Relay::Result result = relay.run(program, -1, out.write);
  close(std::exchange(out.write, -1));
  reader.join();
  CHECK(result.signal == SIGTERM);
  CHECK(result.output == FlowEnd::stopped);
  CHECK(taken.substr(before) == "last words");
}

TEST_CASE("relay: the ends are released when no further file can be opened") {
  EndedProgram program;
  Pipe out;
  const HeldSignals signals{SIGTERM};
  Relay relay(signals, {}, [](std::string_view bytes, const Relay::Write& write) {
    write({&bytes, 1});
  });
  program.write("text");
  program.close_stdout();
  rlimit before{};
  getrlimit(RLIMIT_NOFILE, &before);
  rlimit few = before;
  few.rlim_cur = 64;
  setrlimit(RLIMIT_NOFILE, &few);
  std::vector<int> all;
  for (int fd = 0; (fd = open("/", O_RDONLY | O_CLOEXEC)) >= 0;) all.push_back(fd);
  const bool full = errno == EMFILE;
  relay.run(program, -1, out.write);
  for (const int fd : all) close(fd);
  setrlimit(RLIMIT_NOFILE, &before);
  CHECK(full);
  char buffer[8];
  CHECK(read(out.read, buffer, sizeof buffer) == 4);
  fcntl(out.read, F_SETFL, O_NONBLOCK);
  CHECK(read(out.read, buffer, sizeof buffer) == 0);  // nobody else has the pipe open
}

}  // namespace hebb::capture::test
