// What `hebb record` adds to a tool call: the round trip of a small call to a server that answers
// at once, with the recorder between, without it, and with one that cannot open its database.
//
// A client calls, waits for the answer, pauses a little, calls again: the case in which a
// recorder's wake-up cannot hide behind other work. Rounds are interleaved, so that both see the
// same machine; each figure is the median over the rounds. The goal: less than 100 us added at the
// 99th percentile.
//
//   bench_record [--smoke]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench/measure.h"
#include "capture/record/record.h"

namespace {

int g_rounds = 25;
int g_calls = 1000;
constexpr int kWarmUp = 200;
constexpr long kPauseNs = 200'000;
constexpr double kGoalUs = 100;

using Clock = std::chrono::steady_clock;

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

void write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(fd, bytes.data(), bytes.size());
    if (written <= 0) fail("write");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

// Reads one line; each line comes in one read().
bool read_line(int fd, std::string& line) {
  char buffer[4096];
  line.clear();
  do {
    const ssize_t got = read(fd, buffer, sizeof buffer);
    if (got <= 0) return false;
    line.append(buffer, static_cast<std::size_t>(got));
  } while (line.back() != '\n');
  return true;
}

[[noreturn]] void serve() {
  std::string line;
  while (read_line(STDIN_FILENO, line)) {
    const std::size_t id = line.rfind("\"id\":") + 5;
    write_all(STDOUT_FILENO,
              fmt::format(R"({{"jsonrpc":"2.0","id":{},"result":{{"content":[{{"type":"text",)"
                          R"("text":"an answer of a usual length, more or less"}}]}}}})"
                          "\n",
                          line.substr(id, line.find('}', id) - id)));
  }
  _exit(0);
}

// Microseconds of each call's round trip.
std::vector<double> round_trips(const std::function<void()>& other_side) {
  int to[2], from[2];
  if (pipe(to) != 0 || pipe(from) != 0) fail("pipe");
  const pid_t pid = fork();
  if (pid < 0) fail("fork");
  if (pid == 0) {
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    for (const int fd : {to[0], to[1], from[0], from[1]}) close(fd);
    other_side();
    _exit(1);
  }
  close(to[0]);
  close(from[1]);
  std::vector<double> times;
  std::string answer;
  for (int i = 0; i < kWarmUp + g_calls; ++i) {
    const std::string call = fmt::format(
        R"({{"method":"tools/call","params":{{"name":"get_property","arguments":{{"object":"Button","n":{}}}}},)"
        R"("jsonrpc":"2.0","id":{}}})"
        "\n",
        i, i);
    const auto start = Clock::now();
    write_all(to[1], call);
    if (!read_line(from[0], answer)) fail("the server has ended");
    if (i >= kWarmUp)
      times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    const timespec pause{0, kPauseNs};
    nanosleep(&pause, nullptr);
  }
  close(to[1]);
  close(from[0]);
  waitpid(pid, nullptr, 0);
  return times;
}

struct Figures {
  std::vector<double> p50, p99;
  void add(const std::vector<double>& times) {
    p50.push_back(hebb::bench::quantile(times, 0.5));
    p99.push_back(hebb::bench::quantile(times, 0.99));
  }
};

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string_view> args(argv + 1, argv + argc);
  if (!args.empty() && args[0] == "--server") serve();
  if (!args.empty() && args[0] == "--smoke") {
    g_rounds = 1;
    g_calls = 100;
  }
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  std::string folder = (std::filesystem::temp_directory_path() / "hebb-bench-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) fail("mkdtemp");

  Figures direct, recorded, unrecorded;
  const auto through_recorder = [&](const std::string& database) {
    return round_trips([&] {
      hebb::capture::RecordOptions options;
      options.database = database;
      options.command = {self, "--server"};
      options.warn = [](std::string_view) {};
      hebb::capture::end_like(hebb::capture::run_record(options).server);
    });
  };
  for (int i = 0; i < g_rounds; ++i) {
    direct.add(round_trips([&] { execl(self.c_str(), self.c_str(), "--server", nullptr); }));
    recorded.add(through_recorder(folder + "/log.db"));
    unrecorded.add(through_recorder(folder + "/no/such/log.db"));
  }
  std::filesystem::remove_all(folder);

  hebb::bench::Table table("small calls to a server that answers at once");
  const auto add = [&](const std::string& name, const std::vector<double>& times, double without,
                       const std::string& goal) {
    const double added = hebb::bench::median(times) - without;
    const auto met = goal.empty() ? std::nullopt : std::optional(added < kGoalUs);
    table.add({name, "us", added, "the call without it", without, goal, met});
  };
  for (const auto& [name, of] :
       {std::pair{"median", &Figures::p50}, std::pair{"99th percentile", &Figures::p99}}) {
    const double without = hebb::bench::median(direct.*of);
    const bool last = of == &Figures::p99;
    add(fmt::format("added by hebb record, {}", name), recorded.*of, without,
        last ? fmt::format("under {} us", kGoalUs) : "");
    add(fmt::format("the same without a database, {}", name), unrecorded.*of, without, "");
  }
  return 0;
}
