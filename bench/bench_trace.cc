// What `hebb trace` costs: passing bytes on, and taking trace lines out, parsing and folding them.
//
// Each is compared with a lower bound: passing on with a memchr that looks at every byte once, the
// process with `cat` between the same pipes, a wrapped call with the same call without wrapper.
// Medians of 5, interleaved.
//
//   bench_trace [--smoke]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/measure.h"
#include "capture/trace/filter.h"
#include "capture/trace/fold.h"

namespace {

using namespace hebb::capture;

constexpr std::size_t kChunk = 256u << 10;
constexpr std::size_t kText = 512u << 10;
constexpr std::size_t kBytes = 256u << 20;
constexpr std::size_t kCalls = 200'000;
constexpr int kRounds = 5;
constexpr const char* kEveryByte = "looking at every byte";
constexpr const char* kCat = "cat between the same pipes";

std::string repeated(const std::string& text, std::size_t size) {
  std::string all;
  all.reserve(size + text.size());
  while (all.size() < size) all += text;
  return all;
}

// Trace lines for starts and ends of `calls` calls, of which some overlap.
std::string trace_lines(std::size_t calls) {
  std::string all;
  for (std::size_t i = 0; i < calls; ++i) {
    all += fmt::format(
        R"(__TRACE__{{"type":"tool_start","tool":"server:tool_{}","trace_id":"5b7e1c9a-77f0-4b0e-9d1c-{:012}","ts":{}}})",
        i % 37, i, 1701792000000 + i * 7);
    all += "\n";
    all += fmt::format(
        R"(__TRACE__{{"type":"tool_end","trace_id":"5b7e1c9a-77f0-4b0e-9d1c-{:012}","success":true,"duration_ms":{}}})",
        i, 5 + i % 3);
    all += "\n";
  }
  return all;
}

double wall() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double processor() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

std::size_t g_sink = 0;  // so that no work is optimised away

void filter_all(std::string_view input, const TraceFilter::Sink& sink, std::size_t bytes) {
  TraceFilter filter({}, sink);
  TraceFilter::Spans spans;
  std::size_t at = 0;
  for (std::size_t done = 0; done < bytes; done += kChunk) {
    spans.clear();
    filter.feed(input.substr(at, kChunk), spans);
    for (const auto span : spans) g_sink += span.size();
    at = at + kChunk < input.size() ? at + kChunk : 0;
  }
  spans.clear();
  filter.finish(spans);
}

void look_at_all(std::string_view input, std::size_t bytes) {
  for (std::size_t done = 0; done < bytes; done += input.size()) {
    g_sink += std::memchr(input.data(), 1, input.size()) == nullptr;
  }
}

// Sends the bytes through a process between two pipes, as in `program | THIS | reader`.
void through(const std::vector<const char*>& command, std::string_view input) {
  int in[2];
  int out[2];
  if (pipe(in) != 0 || pipe(out) != 0) std::abort();
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(in[0], 0);
    dup2(out[1], 1);
    for (const int fd : {in[0], in[1], out[0], out[1]}) close(fd);
    execvp(command[0], const_cast<char* const*>(command.data()));
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  fcntl(in[1], F_SETPIPE_SZ, 1 << 20);
  fcntl(out[0], F_SETPIPE_SZ, 1 << 20);
  std::thread writer([&] {
    for (std::size_t at = 0; at < input.size();) {
      const ssize_t n = write(in[1], input.data() + at, std::min(kChunk, input.size() - at));
      if (n <= 0) break;
      at += static_cast<std::size_t>(n);
    }
    close(in[1]);
  });
  std::vector<char> buffer(kChunk);
  std::size_t got = 0;
  for (ssize_t n = 0; (n = read(out[0], buffer.data(), buffer.size())) > 0;) {
    got += static_cast<std::size_t>(n);
  }
  close(out[0]);
  writer.join();
  waitpid(pid, nullptr, 0);
  if (got != input.size()) fmt::print(stderr, "{} of {} bytes came through\n", got, input.size());
}

struct Row {
  std::string what;
  std::string unit;
  double per;  // the value is per / time, or time / per
  bool inverse;
  double (*clock)();
  std::function<void()> work;
  std::vector<double> times;
};

// The inputs of the rows, which refer to it.
struct Texts {
  std::string lines = repeated(
      "a line of ordinary output, eighty bytes long, as programs like to write them ....\n", kText);
  std::string empty_lines = repeated("\n", kText);
  std::string one_line = repeated("x", kText);
  std::string hostile = repeated("\n__TRACE_\n_", kText);
  std::string traces = trace_lines(kCalls);
  std::string large = repeated(lines, kBytes);
};

std::vector<Row> memory_rows(const Texts& texts) {
  constexpr double kGigabytes = static_cast<double>(kBytes) / 1e9;
  constexpr double kLines = 2e-9 * kCalls;  // times nanoseconds
  const auto ignore = [](const TraceEvent&) { ++g_sink; };
  const auto pass = [=](const std::string& text) {
    return [&text, ignore] { filter_all(text, ignore, kBytes); };
  };
  return {
      {kEveryByte,
       "GB/s",
       kGigabytes,
       false,
       processor,
       [&] { look_at_all(texts.one_line, kBytes); },
       {}},
      {"its filter, lines of 80 bytes",
       "GB/s",
       kGigabytes,
       false,
       processor,
       pass(texts.lines),
       {}},
      {"its filter, empty lines",
       "GB/s",
       kGigabytes,
       false,
       processor,
       pass(texts.empty_lines),
       {}},
      {"its filter, one line", "GB/s", kGigabytes, false, processor, pass(texts.one_line), {}},
      {"its filter, beginnings of the prefix everywhere",
       "GB/s",
       kGigabytes,
       false,
       processor,
       pass(texts.hostile),
       {}},
      {"trace line: found and parsed",
       "ns",
       kLines,
       true,
       processor,
       [&, ignore] { filter_all(texts.traces, ignore, texts.traces.size()); },
       {}},
      {"trace line: found, parsed, applied",
       "ns",
       kLines,
       true,
       processor,
       [&] {
         TraceFold fold;
         const auto add = [&](const TraceEvent& e) { fold.add(e); };
         filter_all(texts.traces, add, texts.traces.size());
         g_sink += fold.counts().succeeded;
       },
       {}},
      {"trace line: all of that, and the relations",
       "ns",
       kLines,
       true,
       processor,
       [&] {
         TraceFold fold;
         const auto add = [&](const TraceEvent& e) { fold.add(e); };
         filter_all(texts.traces, add, texts.traces.size());
         g_sink += fold.observations().size();
       },
       {}},
  };
}

void add_process_rows(const Texts& texts, std::vector<Row>& rows) {
  constexpr double kGigabytes = static_cast<double>(kBytes) / 1e9;
  rows.push_back({kCat,
                  "GB/s",
                  kGigabytes,
                  false,
                  wall,
                  [&] {
                    through({"cat", nullptr}, texts.large);
                  },
                  {}});
#ifdef HEBB_BINARY
  rows.push_back({"hebb trace, lines of 80 bytes between pipes",
                  "GB/s",
                  kGigabytes,
                  false,
                  wall,
                  [&] {
                    through({HEBB_BINARY, "trace", nullptr}, texts.large);
                  },
                  {}});
#endif
}

// A wrapper of examples/trace. Its cost is the time of a call of an empty function with it, less
// the time without it.
struct Wrapper {
  std::string what;
  int calls;
  std::vector<std::string> command;  // the calls and the folder of the wrappers follow
};

const std::vector<Wrapper>& wrappers() {
  static const std::vector<Wrapper> all = {
      {"a wrapped call, JavaScript",
       2000,
       {"node", "--input-type=module", "-e",
        "const [calls, folder] = process.argv.slice(-2);"
        "const { traced } = await import(`${folder}/trace.mjs`);"
        "const f = traced('bench:nothing', () => 1);"
        "for (let i = 0; i < calls; ++i) f();",
        "--"}},
      {"a wrapped call, Python",
       2000,
       {"python3", "-B", "-c",
        "import sys\n"
        "sys.path.insert(0, sys.argv[2])\n"
        "from hebb_trace import traced\n"
        "f = traced('bench:nothing', lambda: 1)\n"
        "for i in range(int(sys.argv[1])): f()"}},
      {"a wrapped call, sh",
       200,
       {"sh", "-c",
        ". \"$1/trace.sh\"; i=0; while [ $i -lt $0 ]; do traced bench:nothing :; i=$((i + 1)); "
        "done"}},
      {"a wrapped call, bash",
       2000,
       {"bash", "-c",
        ". \"$1/trace.sh\"; i=0; while [ $i -lt $0 ]; do traced bench:nothing :; i=$((i + 1)); "
        "done"}},
  };
  return all;
}

// Seconds for the calls of a program with its wrapper on or off. Its output goes into a pipe that
// is read.
double run_wrapper(const Wrapper& wrapper, bool on) {
  std::vector<std::string> words = wrapper.command;
  words.push_back(std::to_string(wrapper.calls));
  words.push_back(HEBB_SOURCE_DIR "/examples/trace");
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  int out[2];
  if (pipe(out) != 0) std::abort();
  const double begin = wall();
  const pid_t pid = fork();
  if (pid == 0) {
    dup2(out[1], 1);
    close(out[0]);
    close(out[1]);
    setenv("HEBB_TRACE", on ? "1" : "0", 1);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  close(out[1]);
  std::vector<char> buffer(kChunk);
  std::int64_t lines = 0;
  for (ssize_t n = 0; (n = read(out[0], buffer.data(), buffer.size())) > 0;) {
    lines += std::count(buffer.begin(), buffer.begin() + n, '\n');
  }
  close(out[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  const double seconds = wall() - begin;
  if (status != 0 || lines != (on ? 2 * wrapper.calls : 0)) {
    fmt::print(stderr, "{}: status {}, {} lines\n", wrapper.what, status, lines);
    std::exit(1);
  }
  return seconds;
}

void measure_wrappers(int rounds, hebb::bench::Table& table) {
  for (const Wrapper& wrapper : wrappers()) {
    std::vector<double> with, without;
    for (int round = 0; round < rounds; ++round) {
      with.push_back(run_wrapper(wrapper, true));
      without.push_back(run_wrapper(wrapper, false));
    }
    const double seconds = hebb::bench::median(with) - hebb::bench::median(without);
    table.add({wrapper.what, "ms", seconds * 1000 / wrapper.calls, "", {}, "", {}});
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 && std::string_view(argv[1]) == "--smoke" ? 1 : kRounds;
  const Texts texts;
  auto rows = memory_rows(texts);
  add_process_rows(texts, rows);
  for (int round = 0; round < rounds; ++round) {
    for (Row& row : rows) {
      const double start = row.clock();
      row.work();
      row.times.push_back(row.clock() - start);
    }
  }
  hebb::bench::Table table("a program's output, and its trace lines");
  std::string floor_name;
  double floor = 0;
  for (const Row& row : rows) {
    const double time = hebb::bench::median(row.times);
    const double value = row.inverse ? time / row.per : row.per / time;
    if (row.what == kEveryByte || row.what == kCat) {
      floor_name = row.what;
      floor = value;
    } else if (row.inverse) {
      table.add({row.what, row.unit, value, "", {}, "", {}});
    } else {
      table.add({row.what, row.unit, value, floor_name, floor, "", {}});
    }
  }
  measure_wrappers(rounds, table);
  return g_sink == 0;
}
