// Several processes that do the same kind of thing as fast as they can, beginning at once.
#pragma once

#include <sstream>

#include "bench/measure.h"

namespace hebb::bench {

// Does the work once, and gives a number that identifies it; nullopt: no work is left.
using Step = std::function<std::optional<std::int64_t>()>;

struct Race {
  double seconds = 0;
  std::vector<double> times;          // of each step, in milliseconds
  std::vector<std::int64_t> numbers;  // of each step
  std::vector<std::size_t> steps;     // of each process
  double per_second() const { return static_cast<double>(times.size()) / seconds; }
};

struct Pipe {
  Pipe() {
    if (::pipe(ends) != 0) std::exit(1);
  }
  int ends[2];  // to read from, and to write to
};

inline void write_all(int fd, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const auto written = ::write(fd, text.data() + at, text.size() - at);
    if (written <= 0) break;
    at += static_cast<std::size_t>(written);
  }
}

inline std::string read_all(int fd) {
  std::string out;
  char bytes[4096];
  for (ssize_t got = 0; (got = ::read(fd, bytes, sizeof bytes)) > 0;)
    out.append(bytes, static_cast<std::size_t>(got));
  return out;
}

// In a child: goes once all are ready, and writes the milliseconds and the number of each step.
[[noreturn]] inline void run_one(const std::function<Step()>& open, const Pipe& ready,
                                 const Pipe& gate, int to) {
  ::close(gate.ends[1]);
  std::string out;
  bool is_ready = false;
  int exit_code = 0;
  try {
    const Step step = open();
    char byte = 'r';
    write_all(ready.ends[1], "r");
    is_ready = true;
    while (::read(gate.ends[0], &byte, 1) > 0) {
    }
    std::optional<std::int64_t> number;
    do {
      const double took = seconds([&] { number = step(); });
      if (number) out += fmt::format("{} {}\n", took * 1e3, *number);
    } while (number);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    exit_code = 1;
    if (!is_ready) write_all(ready.ends[1], "r");  // or the others would wait for it
  }
  write_all(to, out);
  ::_exit(exit_code);
}

// Each process opens what it needs before they begin. Ends the program where one has failed.
inline Race race(int processes, const std::function<Step(int me)>& open) {
  const Pipe ready, gate;
  std::vector<std::pair<pid_t, int>> children;
  for (int me = 0; me < processes; ++me) {
    const Pipe result;
    const pid_t child = ::fork();
    if (child == 0) run_one([&] { return open(me); }, ready, gate, result.ends[1]);
    ::close(result.ends[1]);
    children.emplace_back(child, result.ends[0]);
  }
  char byte = 0;
  for (int i = 0; i < processes; ++i) {
    if (::read(ready.ends[0], &byte, 1) != 1) std::exit(1);
  }
  Race race;
  bool failed = false;
  race.seconds = seconds([&] {
    ::close(gate.ends[1]);
    for (const auto& [child, fd] : children) {
      std::istringstream in(read_all(fd));
      ::close(fd);
      int status = 1;
      ::waitpid(child, &status, 0);
      failed = failed || status != 0;
      std::int64_t number = 0;
      const auto before = race.times.size();
      for (double ms = 0; in >> ms >> number; race.numbers.push_back(number))
        race.times.push_back(ms);
      race.steps.push_back(race.times.size() - before);
    }
  });
  for (const int fd : {ready.ends[0], ready.ends[1], gate.ends[0]}) ::close(fd);
  if (failed) std::exit(1);
  return race;
}

}  // namespace hebb::bench
