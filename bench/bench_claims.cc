// How long `next --claim` takes where several processes empty one queue: the time of each claim,
// its commit to the disk and the waiting for the others included. Each process either keeps its
// engine open, as `hebb mcp` and `hebb serve` do, or runs `hebb next --claim` for each claim. At
// the end no task was claimed twice.
//   bench_claims [--smoke | TASKS PROCESSES]        default: 2000, 8. The goal: a p99 under 50 ms.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/measure.h"
#include "engine/engine.h"

namespace {

using hebb::bench::quantile;
using hebb::bench::Row;
using hebb::bench::Table;

constexpr hebb::TimeMs kStart = 1'767'225'600'000;
constexpr double kTargetMs = 50;

struct World {
  std::string db;
  int tasks = 2000, processes = 8;
};

void fill(const World& world) {
  const std::string log = world.db + ".jsonl";
  std::ofstream file(log);
  for (int i = 0; i < world.tasks; ++i) {
    file << fmt::format(R"({{"kind":"node","at":{},"id":"t{}","type":"TASK","state":"OPEN"}})",
                        kStart + i, i)
         << '\n';
  }
  file.close();
  hebb::bench::run({HEBB_BINARY, "--db", world.db, "import", log});
  hebb::bench::run({HEBB_BINARY, "--db", world.db, "recalibrate"});
}

// What one process did: the milliseconds of each claim and its token.
using Claims = std::vector<std::pair<double, std::int64_t>>;

Claims with_engine(const World& world, int me) {
  hebb::EngineOptions options;
  options.path = world.db;
  options.busy_timeout_ms = 120'000;
  hebb::Engine engine(options);
  hebb::ClaimNext next;
  next.agent = fmt::format("p{}", me);
  next.now = kStart + 1'000'000'000;
  Claims claims;
  while (true) {
    std::vector<hebb::ClaimedTask> got;
    const double took = hebb::bench::seconds([&] { got = engine.claim_next(next); });
    if (got.empty()) return claims;
    claims.emplace_back(took * 1e3, got[0].claim.token);
  }
}

Claims with_commands(const World& world, int me) {
  const std::string command =
      fmt::format("{} --db '{}' next --claim --agent p{} --json", HEBB_BINARY, world.db, me);
  Claims claims;
  while (true) {
    std::string out;
    const double took = hebb::bench::seconds([&] {
      FILE* pipe = ::popen(command.c_str(), "r");
      char bytes[4096];
      for (std::size_t got = 0; (got = std::fread(bytes, 1, sizeof bytes, pipe)) > 0;)
        out.append(bytes, got);
      if (::pclose(pipe) != 0) throw std::runtime_error("failed: " + command);
    });
    const auto at = out.find("\"token\": ");
    if (at == out.npos) return claims;
    claims.emplace_back(took * 1e3, std::strtoll(out.c_str() + at + 9, nullptr, 10));
  }
}

template <class Work>
void in_child(int fd, Work work) {
  std::string out;
  try {
    for (const auto& [ms, token] : work()) out += fmt::format("{} {}\n", ms, token);
  } catch (const std::exception& e) {
    out = "error";
    std::fprintf(stderr, "%s\n", e.what());
  }
  for (std::size_t at = 0; at < out.size();) {
    const auto written = ::write(fd, out.data() + at, out.size() - at);
    if (written <= 0) break;
    at += static_cast<std::size_t>(written);
  }
  ::_exit(0);
}

// All of them at once; ends the program where a task went to two, or to none.
template <class Work>
std::vector<double> race(const World& world, Work work) {
  std::vector<std::pair<pid_t, int>> children;
  for (int me = 0; me < world.processes; ++me) {
    int ends[2];
    if (::pipe(ends) != 0) std::exit(1);
    const pid_t child = ::fork();
    if (child == 0) in_child(ends[1], [&] { return work(world, me); });
    ::close(ends[1]);
    children.emplace_back(child, ends[0]);
  }
  std::vector<double> times;
  std::set<std::int64_t> tokens;
  for (const auto& [child, fd] : children) {
    std::string out;
    char bytes[4096];
    for (ssize_t got = 0; (got = ::read(fd, bytes, sizeof bytes)) > 0;)
      out.append(bytes, static_cast<std::size_t>(got));
    ::close(fd);
    ::waitpid(child, nullptr, 0);
    std::istringstream in(out);
    std::int64_t token = 0;
    for (double ms = 0; in >> ms >> token; tokens.insert(token)) times.push_back(ms);
  }
  const auto all = static_cast<std::size_t>(world.tasks);
  if (times.size() == all && tokens.size() == all) return times;
  fmt::print(stderr, "{} claims of {} tasks of {}\n", times.size(), tokens.size(), all);
  std::exit(1);
}

template <class Work>
void measure(Table& table, World world, const std::string& name, Work work) {
  fill(world);
  std::vector<double> times;
  const double took = hebb::bench::seconds([&] { times = race(world, work); });
  const double p99 = quantile(times, 0.99);
  table.add({name + ", p50", "ms", quantile(times, 0.5), "", {}, "", {}});
  table.add({name + ", p99", "ms", p99, "", {}, "under 50 ms", p99 < kTargetMs});
  table.add({name + ", longest", "ms", quantile(times, 1), "", {}, "", {}});
  table.add({name + ", all together", "claims/s", world.tasks / took, "", {}, "", {}});
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  World world;
  if (!args.empty() && args[0] == "--smoke") {
    world.tasks = 40;
  } else if (args.size() == 2) {
    world.tasks = std::atoi(args[0].c_str());
    world.processes = std::atoi(args[1].c_str());
  }
  char folder[] = "/tmp/hebb-claims-XXXXXX";
  if (!::mkdtemp(folder)) return 1;
  Table table(fmt::format("{} processes, {} tasks", world.processes, world.tasks));
  world.db = std::string(folder) + "/a.db";
  measure(table, world, "engine kept open", with_engine);
  world.db = std::string(folder) + "/b.db";
  measure(table, world, "hebb next --claim", with_commands);
  std::filesystem::remove_all(folder);
}
