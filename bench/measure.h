// What benchmarks share: times and their medians, child processes, and tables, which are also
// appended to the file that HEBB_BENCH_JSON names, one JSON object a line.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace hebb::bench {

inline double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline double quantile(std::vector<double> values, double q) {
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  return values[static_cast<std::size_t>(q * last + 0.5)];
}
inline double median(const std::vector<double>& values) { return quantile(values, 0.5); }

// Runs a program, looked for in PATH unless it has a slash, its output thrown away, and gives its
// peak memory in bytes. Ends this one if it fails.
inline double run(std::vector<std::string> command) {
  std::vector<char*> arguments;
  for (auto& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  int status = 1;
  struct rusage usage {};
  if (posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ) == 0)
    ::wait4(child, &status, 0, &usage);
  posix_spawn_file_actions_destroy(&actions);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    std::fprintf(stderr, "failed: %s\n", fmt::format("{}", fmt::join(command, " ")).c_str());
    std::exit(1);
  }
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

// In a process of its own: the peak memory of a child begins with what its parent has at that time.
inline bool in_child(const std::function<bool()>& work) {
  const pid_t child = ::fork();
  if (child == 0) std::_Exit(work() ? 0 : 1);
  int status = 1;
  ::waitpid(child, &status, 0);
  return status == 0;
}

// One figure: the measured value beside its floor, and its target.
struct Row {
  std::string name, unit;
  double value = 0;
  std::string floor_name;
  std::optional<double> floor;  // in the same unit
  std::string target;           // in words
  std::optional<bool> met;
  // The ratio at which something is broken, whatever the machine: ten times the first measured one,
  // or a tenth where more is better.
  std::optional<double> broken_ratio = {};

  bool more_is_better() const { return unit.ends_with("/s"); }
  bool is_broken() const {
    if (!floor || !broken_ratio) return false;
    return more_is_better() ? value / *floor < *broken_ratio : value / *floor > *broken_ratio;
  }
};

class Table {
 public:
  // world: the measured world, in words; detail: more of that, for a reader of the output.
  explicit Table(std::string world, const std::string& detail = "") : world_(std::move(world)) {
    std::printf("\n%s%s\n", world_.c_str(), detail.c_str());
    std::fflush(stdout);
  }
  ~Table() {
    if (const char* file = std::getenv("HEBB_BENCH_JSON"))
      std::ofstream(file, std::ios::app) << json() << '\n';
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  void add(Row row) {
    const std::string ratio = row.floor ? fmt::format("{:.2f} x", row.value / *row.floor) : "";
    fmt::print("  {:44} {:>10.4g} {:10} {:>10} {:34} {:4} {}\n", row.name, row.value, row.unit,
               ratio, row.floor ? row.floor_name : "", row.met ? (*row.met ? "met" : "MISS") : "",
               row.target);
    std::fflush(stdout);
    keep(std::move(row));
  }
  // add() for a row that the caller prints in its own way.
  void keep(Row row) { rows_.push_back(std::move(row)); }
  // Says on stderr which rows are broken; true: none.
  bool check() const {
    bool whole = true;
    for (const Row& row : rows_) {
      if (!row.is_broken()) continue;
      whole = false;
      fmt::print(stderr, "{}: {:.2f} of {}, which is beyond {}\n", row.name, row.value / *row.floor,
                 row.floor_name, *row.broken_ratio);
    }
    return whole;
  }

 private:
  // Names hold nothing that JSON has to escape.
  std::string json() const {
    std::string text = fmt::format("{{\"world\":\"{}\",\"rows\":[", world_);
    for (const Row& row : rows_) {
      text += fmt::format("{}{{\"name\":\"{}\",\"unit\":\"{}\",\"value\":{}",
                          &row == rows_.data() ? "" : ",", row.name, row.unit, row.value);
      if (row.floor) text += fmt::format(",\"floor\":{},\"of\":\"{}\"", *row.floor, row.floor_name);
      if (!row.target.empty()) text += fmt::format(",\"target\":\"{}\"", row.target);
      if (row.met) text += fmt::format(",\"met\":{}", *row.met);
      text += "}";
    }
    return text + "]}";
  }

  std::string world_;
  std::vector<Row> rows_;
};

}  // namespace hebb::bench
