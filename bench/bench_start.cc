// How long a command takes to start: `hebb --version` beside `sqlite3 --version`, a program in C
// that people start as often, and what `hebb rank` of three tasks takes beyond that. The three are
// run in turn, so that other load on the machine weighs on all alike.
//   bench_start [--smoke | RUNS]        default: 300
// The goals: at most 1.3 times sqlite3, and at most 2 ms more for the ranking.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "bench/measure.h"

namespace {

constexpr double kOfSqlite = 1.3;
constexpr double kRankMs = 2;

// Three open tasks, two of which are related.
void fill(const std::string& db) {
  for (const char* id : {"a", "b", "c"}) {
    hebb::bench::run(
        {HEBB_BINARY, "--db", db, "node", "set", id, "--type", "TASK", "--state", "OPEN"});
  }
  hebb::bench::run({HEBB_BINARY, "--db", db, "link", "a", "b", "RELATES_TO"});
}

}  // namespace

int main(int argc, char** argv) {
  const std::string given = argc > 1 ? argv[1] : "300";
  const int runs = given == "--smoke" ? 15 : std::max(1, std::atoi(given.c_str()));
  char folder[] = "/tmp/hebb-start-XXXXXX";
  if (!::mkdtemp(folder)) return 1;
  const std::string db = std::string(folder) + "/a.db";
  fill(db);
  const std::vector<std::vector<std::string>> commands = {
      {"sqlite3", "--version"}, {HEBB_BINARY, "--version"}, {HEBB_BINARY, "--db", db, "rank"}};
  std::vector<std::vector<double>> ms(commands.size());
  for (int run = 0; run < runs; ++run) {
    for (std::size_t i = 0; i < commands.size(); ++i) {
      ms[i].push_back(1e3 * hebb::bench::seconds([&] { hebb::bench::run(commands[i]); }));
    }
  }
  std::filesystem::remove_all(folder);
  const double sqlite = hebb::bench::median(ms[0]), version = hebb::bench::median(ms[1]),
               rank = hebb::bench::median(ms[2]);
  hebb::bench::Table table(fmt::format("median of {}", runs));
  table.add({"hebb --version", "ms", version, "sqlite3 --version", sqlite, "at most 1.3",
             version <= kOfSqlite * sqlite, 10 * kOfSqlite});
  table.add({"hebb rank of three tasks", "ms", rank, "hebb --version", version, "at most 2 ms more",
             rank <= version + kRankMs, 20.0});
  return given != "--smoke" || table.check() ? 0 : 1;
}
