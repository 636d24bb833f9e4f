// How fast tasks are claimed, beside what people would write instead: a table in SQLite. One
// process, and several at once, empty a queue as fast as they can; the time of a claim has its
// commit to the disk in it, and the waiting for the others. Processes keep the engine or the table
// open, as `hebb mcp` and `hebb serve` do, or run `hebb next --claim` for each claim, beside the
// shell of SQLite. At the end no task was claimed twice. Each round has a fresh world, the ways
// take turns, and a figure is the median of the rounds.
//
//   bench_claims [--smoke | TASKS PROCESSES]        default: 4000, 8
#include <filesystem>
#include <map>
#include <set>

#include "bench/race.h"
#include "bench/world.h"

namespace {

using namespace hebb;
using namespace hebb::bench;
namespace fs = std::filesystem;

constexpr int kWaitMs = 120'000;
constexpr int kCommands = 100;
constexpr const char* kOfCommands = "hebb next --claim";
constexpr const char* kOfShells = "sqlite3, a process a claim";
constexpr const char* kClaim =
    "UPDATE task SET claimed_by = ?1 WHERE id = (SELECT id FROM task WHERE claimed_by IS NULL "
    "ORDER BY priority LIMIT 1) RETURNING id";

struct World {
  std::string path;
  int tasks = 4000, processes = 8;
};

// Claims the best free task. Gives the number of the task or of the claim; nullopt: none is left.
using Claim = Step;

void fill_table(const World& world) {
  Plain table(world.path);
  table.run(
      "CREATE TABLE task (id INTEGER PRIMARY KEY, priority REAL NOT NULL, claimed_by TEXT);"
      "CREATE INDEX free ON task (priority) WHERE claimed_by IS NULL; BEGIN");
  for (int i = 0; i < world.tasks; ++i)
    table.run(fmt::format("INSERT INTO task VALUES ({}, {}, NULL)", i, i));
  table.run("COMMIT");
}

Claim open_table(const World& world, int me) {
  auto table = std::make_shared<Plain>(world.path);
  auto claim = table->prepare(kClaim);
  return [table, claim, me]() -> std::optional<std::int64_t> {
    sqlite3_bind_int(claim.get(), 1, me);
    std::optional<std::int64_t> id;
    int rc = sqlite3_step(claim.get());
    if (rc == SQLITE_ROW) {
      id = sqlite3_column_int64(claim.get(), 0);
      rc = sqlite3_step(claim.get());
    }
    if (rc != SQLITE_DONE) throw std::runtime_error(sqlite3_errstr(rc));
    sqlite3_reset(claim.get());
    return id;
  };
}

void fill_hebb(const World& world) {
  const std::string log = world.path + ".jsonl";
  std::ofstream file(log);
  for (int i = 0; i < world.tasks; ++i) {
    file << fmt::format(R"({{"kind":"node","at":{},"id":"t{}","type":"TASK","state":"OPEN"}})",
                        kStart + i, i)
         << '\n';
  }
  file.close();
  hebb::bench::run({HEBB_BINARY, "--db", world.path, "import", log});
  hebb::bench::run({HEBB_BINARY, "--db", world.path, "recalibrate"});
}

Claim open_engine(const World& world, int me) {
  EngineOptions options;
  options.path = world.path;
  options.busy_timeout_ms = kWaitMs;
  auto engine = std::make_shared<Engine>(options);
  engine->state();
  ClaimNext next;
  next.agent = fmt::format("p{}", me);
  next.now = kStart + kDay;
  return [engine, next]() -> std::optional<std::int64_t> {
    const auto got = engine->claim_next(next);
    if (got.empty()) return std::nullopt;
    return got[0].claim.token;
  };
}

// The output of a command.
std::string printed(const std::string& command) {
  std::string out;
  FILE* pipe = ::popen(command.c_str(), "r");
  char bytes[4096];
  for (std::size_t got = 0; (got = std::fread(bytes, 1, sizeof bytes, pipe)) > 0;)
    out.append(bytes, got);
  if (::pclose(pipe) != 0) throw std::runtime_error("failed: " + command);
  return out;
}

Claim open_shell(const World& world, int me) {
  const std::string command =
      fmt::format("exec sqlite3 -cmd '.timeout {}' -cmd '.parameter set ?1 p{}' '{}' \"{}\"",
                  kWaitMs, me, world.path, kClaim);
  return [command]() -> std::optional<std::int64_t> {
    const std::string out = printed(command);
    if (out.empty()) return std::nullopt;
    return std::strtoll(out.c_str(), nullptr, 10);
  };
}

Claim open_command(const World& world, int me) {
  const std::string command =
      fmt::format("exec {} --db '{}' next --claim --agent p{} --json", HEBB_BINARY, world.path, me);
  return [command]() -> std::optional<std::int64_t> {
    const std::string out = printed(command);
    const auto at = out.find("\"token\": ");
    if (at == out.npos) return std::nullopt;
    return std::strtoll(out.c_str() + at + 9, nullptr, 10);
  };
}

// One way to keep and claim tasks.
struct Way {
  std::string name;
  void (*fill)(const World& world);
  Claim (*open)(const World& world, int me);
};

// All processes claim at once; ends the program if a task was claimed twice, or never.
Race race_for(const Way& way, const World& world) {
  Race claims = race(world.processes, [&](int me) { return way.open(world, me); });
  const auto all = static_cast<std::size_t>(world.tasks);
  const std::set<std::int64_t> numbers(claims.numbers.begin(), claims.numbers.end());
  if (claims.numbers.size() == all && numbers.size() == all) return claims;
  fmt::print(stderr, "{}: {} claims of {} tasks of {}\n", way.name, claims.numbers.size(),
             numbers.size(), all);
  std::exit(1);
}

// By the name of a figure, the rounds' values.
using Rounds = std::map<std::string, std::vector<double>>;

void take(Rounds& rounds, const Way& way, World world, const std::string& folder) {
  world.path = folder + "/world.db";
  way.fill(world);
  const Race raced = race_for(way, world);
  std::vector<double> shares;  // of each process, in percent of the claims
  for (const std::size_t claims : raced.steps)
    shares.push_back(100 * static_cast<double>(claims) / static_cast<double>(world.tasks));
  rounds["claims"].push_back(raced.per_second());
  for (const auto& [name, q] : {std::pair{"p50", 0.5}, {"p99", 0.99}, {"longest", 1.0}})
    rounds[name].push_back(quantile(raced.times, q));
  rounds["least share"].push_back(quantile(shares, 0));
  rounds["largest share"].push_back(quantile(shares, 1));
  for (const auto& file : fs::directory_iterator(folder)) fs::remove(file);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> args(argv + 1, argv + argc);
  const bool smoke = !args.empty() && args[0] == "--smoke";
  World world;
  if (smoke) world.tasks = 40;
  if (args.size() == 2) world = {"", std::atoi(args[0].c_str()), std::atoi(args[1].c_str())};
  std::string folder = (fs::temp_directory_path() / "hebb-claims-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return 1;

  const Way table{"a table in SQLite", fill_table, open_table};
  const Way engine{"hebb, kept open", fill_hebb, open_engine};
  const Way shells{kOfShells, fill_table, open_shell};
  const Way commands{kOfCommands, fill_hebb, open_command};
  std::map<std::pair<std::string, int>, Rounds> seen;  // by way and number of processes
  for (int round = 0; round < (smoke ? 1 : 5); ++round) {
    for (const int processes : {1, world.processes}) {
      for (const Way& way : {table, engine, shells, commands}) {
        World one = world;
        one.processes = processes;
        if (way.open == open_command || way.open == open_shell)
          one.tasks = std::min(one.tasks, kCommands);
        take(seen[{way.name, processes}], way, one, folder);
      }
    }
  }
  fs::remove_all(folder);

  Table rows(
      fmt::format("{} tasks, and {} of commands", world.tasks, std::min(world.tasks, kCommands)));
  for (auto& [key, figures] : seen) {
    const std::string& name = key.first;
    const int processes = key.second;
    const std::string who = fmt::format("{}, {} at once", name, processes);
    const auto median_of = [&rounds = figures](const char* figure) {
      return median(rounds.at(figure));
    };
    if (name == table.name || name == shells.name) {
      rows.add({who, "claims/s", median_of("claims"), "", {}, "", {}});
    } else if (name == commands.name) {
      const auto met = processes == 1 ? std::optional(median_of("claims") >= 250) : std::nullopt;
      const double floor = median(seen[{shells.name, processes}]["claims"]);
      rows.add({who, "claims/s", median_of("claims"), shells.name, floor, met ? "at least 250" : "",
                met});
    } else {
      const double floor = median(seen[{table.name, processes}]["claims"]);
      const double least = processes == 1 ? .5 : .2;
      rows.add({who, "claims/s", median_of("claims"), table.name, floor,
                fmt::format("at least {}", least), median_of("claims") >= least * floor,
                least / 10});
    }
    if (processes == 1) continue;
    const bool promised = name == engine.name;
    const auto met = [&](bool whether) { return promised ? std::optional(whether) : std::nullopt; };
    rows.add({who + ": median", "ms", median_of("p50"), "", {}, "", {}});
    rows.add({who + ": 99th percentile",
              "ms",
              median_of("p99"),
              "",
              {},
              promised ? "under 5" : "",
              met(median_of("p99") < 5)});
    rows.add({who + ": longest", "ms", median_of("longest"), "", {}, "", {}});
    rows.add({who + ": least share of one",
              "%",
              median_of("least share"),
              "",
              {},
              promised ? "8 or more" : "",
              met(median_of("least share") >= 8)});
    rows.add({who + ": largest share of one",
              "%",
              median_of("largest share"),
              "",
              {},
              promised ? "at most 17" : "",
              met(median_of("largest share") <= 17)});
  }
  return smoke && !rows.check() ? 1 : 0;
}
