// What `hebb trace` costs: bytes passed on, and trace lines taken out, parsed and folded.
//
// The floor of passing on is a memchr that looks at every byte once; that of a process is `cat`
// between the same pipes. Medians of 5, interleaved. --json: one object a row.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/trace_filter.h"
#include "capture/trace_fold.h"

namespace {

using namespace hebb::capture;

constexpr std::size_t kChunk = 256u << 10;
constexpr std::size_t kBytes = 256u << 20;
constexpr int kRounds = 5;

std::string repeated(const std::string& text, std::size_t size) {
  std::string all;
  all.reserve(size + text.size());
  while (all.size() < size) all += text;
  return all;
}

// Starts and ends of `calls` calls that overlap their neighbours at times.
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

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::size_t g_sink = 0;  // so that no work is optimised away

void filter_all(std::string_view input, const TraceFilter::Sink& sink) {
  TraceFilter filter({}, sink);
  TraceFilter::Spans spans;
  for (std::size_t at = 0; at < input.size(); at += kChunk) {
    spans.clear();
    filter.feed(input.substr(at, kChunk), spans);
    for (const auto span : spans) g_sink += span.size();
  }
  spans.clear();
  filter.finish(spans);
}

void look_at_all(std::string_view input) {
  g_sink += std::memchr(input.data(), 1, input.size()) == nullptr;
}

// The bytes through a process between two pipes, as in `program | THIS | reader`.
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
  double per;  // the result is per / seconds, or seconds / per if inverse
  bool inverse;
  std::function<void()> work;
  std::vector<double> times;
};

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const bool json = argc > 1 && std::string_view(argv[1]) == "--json";
  const std::string text = repeated(
      "a line of ordinary output, eighty bytes long, as programs like "
      "to write them ....\n",
      kBytes);
  const std::string empty_lines = repeated("\n", kBytes);
  const std::string one_line = repeated("x", kBytes);
  const std::string hostile = repeated("\n__TRACE_\n_", kBytes / 16);
  constexpr std::size_t kCalls = 200'000;
  const std::string traces = trace_lines(kCalls);
  const double gigabytes = static_cast<double>(kBytes) / 1e9;
  const auto ignore = [](const TraceEvent&) { ++g_sink; };
  std::vector<Row> rows;
  const auto add = [&](std::string what, std::string unit, double per, bool inverse, auto work) {
    rows.push_back({std::move(what), std::move(unit), per, inverse, work, {}});
  };
  add("floor: look at every byte", "GB/s", gigabytes, false, [&] { look_at_all(text); });
  add("filter, lines of 80 bytes", "GB/s", gigabytes, false, [&] { filter_all(text, ignore); });
  add("filter, empty lines", "GB/s", gigabytes, false, [&] { filter_all(empty_lines, ignore); });
  add("filter, one line", "GB/s", gigabytes, false, [&] { filter_all(one_line, ignore); });
  add("filter, beginnings of the prefix everywhere", "GB/s", gigabytes / 16, false,
      [&] { filter_all(hostile, ignore); });
  add("trace line: found, parsed", "ns", 2e-9 * kCalls, true, [&] { filter_all(traces, ignore); });
  add("trace line: found, parsed, folded", "ns", 2e-9 * kCalls, true, [&] {
    TraceFold fold;
    filter_all(traces, [&](const TraceEvent& e) { fold.add(e); });
    g_sink += fold.counts().succeeded;
  });
  add("trace line: all of it and the relations", "ns", 2e-9 * kCalls, true, [&] {
    TraceFold fold;
    filter_all(traces, [&](const TraceEvent& e) { fold.add(e); });
    g_sink += fold.observations().size();
  });
  add("process floor: cat between pipes", "GB/s", gigabytes, false, [&] {
    through({"cat", nullptr}, text);
  });
#ifdef HEBB_BINARY
  add("process: hebb trace between pipes", "GB/s", gigabytes, false, [&] {
    through({HEBB_BINARY, "trace", nullptr}, text);
  });
#endif
  for (int round = 0; round < kRounds; ++round) {
    for (Row& row : rows) row.times.push_back(seconds(row.work));
  }
  for (const Row& row : rows) {
    const double t = median(row.times);
    const double value = row.inverse ? t / row.per : row.per / t;
    if (json) {
      fmt::print("{{\"what\":\"{}\",\"value\":{:.3f},\"unit\":\"{}\"}}\n", row.what, value,
                 row.unit);
    } else {
      fmt::print("{:45} {:10.2f} {}\n", row.what, value, row.unit);
    }
  }
  return g_sink == 0;
}
