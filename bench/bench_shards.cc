// How equal are shards of a real project's tests, by what the cycles before took? `hebb rank
// --shard` beside what pytest-split and Playwright do, computed by their rules:
//
//   pytest-split, least_duration          the longest first, each to the group that has the least
//   pytest-split, duration_based_chunks   consecutive tests, the next group from total/N seconds on
//   Playwright                            consecutive tests, the same number in each shard
//
// pytest-split (src/pytest_split/algorithms.py at 1ca478eb) keeps the last duration of each test; a
// new one takes the mean of the others. Playwright (filterForShard() of 1.65, fullyParallel) keeps
// none. The last row divides by what nobody can know. It measures no time.
//
//   bench_shards [--smoke | CSV]       default: examples/iofrol/iofrol.csv, whose durations are
//                                      taken as milliseconds
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "bench/measure.h"
#include "engine/engine.h"
#include "tests/support/napfd.h"

namespace {

using namespace hebb;

struct Test {
  std::string name;
  double seconds = 0;  // that it took in this cycle
};
using Cycle = std::vector<Test>;                  // in the order of the suite
using Shards = std::vector<std::size_t>;          // by test of a cycle
using Durations = std::map<std::string, double>;  // the last of each test

std::vector<double> expected(const Cycle& cycle, const Durations& known) {
  double sum = 0, count = 0;
  for (const Test& test : cycle) {
    const auto found = known.find(test.name);
    if (found == known.end()) continue;
    sum += found->second;
    ++count;
  }
  std::vector<double> all;
  for (const Test& test : cycle) {
    const auto found = known.find(test.name);
    all.push_back(found != known.end() ? found->second : count > 0 ? sum / count : 1);
  }
  return all;
}

Shards least_duration(const Cycle& cycle, const Durations& known, std::size_t of) {
  const std::vector<double> seconds = expected(cycle, known);
  std::vector<std::size_t> order(cycle.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return seconds[a] != seconds[b] ? seconds[a] > seconds[b] : cycle[a].name < cycle[b].name;
  });
  Shards shards(cycle.size());
  std::vector<double> used(of, 0);
  for (const std::size_t i : order) {
    const auto least = std::min_element(used.begin(), used.end());
    shards[i] = static_cast<std::size_t>(least - used.begin());
    *least += seconds[i];
  }
  return shards;
}

Shards duration_based_chunks(const Cycle& cycle, const Durations& known, std::size_t of) {
  const std::vector<double> seconds = expected(cycle, known);
  double total = 0, used = 0;
  for (const double s : seconds) total += s;
  Shards shards(cycle.size());
  std::size_t shard = 0;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    if (used >= total / static_cast<double>(of) && shard + 1 < of) {
      ++shard;
      used = 0;
    }
    shards[i] = shard;
    used += seconds[i];
  }
  return shards;
}

Shards by_count(const Cycle& cycle, const Durations&, std::size_t of) {
  Shards shards;
  for (std::size_t shard = 0; shard < of; ++shard)
    shards.insert(shards.end(), cycle.size() / of + (shard < cycle.size() % of ? 1 : 0), shard);
  return shards;
}

class Hebb {
 public:
  explicit Hebb(const std::string& path) : engine_({.path = path}) {}

  Shards shards(const Cycle& cycle, std::size_t of) {
    std::map<std::string, std::size_t> shard_of;
    RankQuery query;
    query.top = cycle.size();
    query.now = now_;
    query.selection.among.emplace();
    for (const Test& test : cycle) query.selection.among->push_back(test.name);
    for (std::size_t shard = 0; shard < of; ++shard) {
      query.selection.shard =
          Shard{static_cast<std::int64_t>(shard) + 1, static_cast<std::int64_t>(of)};
      for (const RankRow& row : engine_.rank(query)) shard_of[row.id] = shard;
    }
    Shards shards;
    for (const Test& test : cycle) shards.push_back(shard_of.at(test.name));
    return shards;
  }

  void learn(const Cycle& cycle) {
    now_ += kHour;
    std::vector<Event> events;
    for (const Test& test : cycle) {
      if (!engine_.state().exists(test.name)) {
        NodeUpsert node;
        node.type = "TEST";
        node.state = std::string(kOpen);
        events.push_back(Event{0, now_, test.name, "", node});
      }
      OutcomeSignal signal;
      signal.outcome = OutcomeKind::success;
      signal.input = fmt::format(R"({{"metrics":{{"executionTimeMs":{}}}}})", 1000 * test.seconds);
      events.push_back(Event{0, now_, test.name, "", signal});
    }
    engine_.append(std::move(events));
  }

 private:
  static constexpr TimeMs kHour = 3'600'000;
  Engine engine_;
  TimeMs now_ = 1'700'000'000'000;
};

double longest(const Cycle& cycle, const Shards& shards, std::size_t of) {
  std::vector<double> used(of, 0);
  for (std::size_t i = 0; i < cycle.size(); ++i) used[shards[i]] += cycle[i].seconds;
  return *std::max_element(used.begin(), used.end());
}

// The runs of one test in a cycle are one test.
std::vector<Cycle> cycles_of(const std::vector<test::Verdict>& rows) {
  std::map<std::int64_t, Cycle> cycles;
  for (const test::Verdict& row : rows) {
    Cycle& cycle = cycles[row.cycle];
    const auto same = std::find_if(cycle.begin(), cycle.end(),
                                   [&](const Test& test) { return test.name == row.test; });
    if (same != cycle.end()) {
      same->seconds += row.duration / 1000;
    } else {
      cycle.push_back({row.test, row.duration / 1000});
    }
  }
  std::vector<Cycle> all;
  for (auto& [number, cycle] : cycles) all.push_back(std::move(cycle));
  return all;
}

constexpr std::size_t kPerShard = 4;  // a cycle of fewer tests for each shard is left out

void measure(const std::vector<Cycle>& cycles, std::size_t of) {
  std::string folder = (std::filesystem::temp_directory_path() / "hebb-bench-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temporary folder");
  std::map<std::string, double> sums;
  double ideal = 0, count = 0;
  {
    Hebb hebb(folder + "/tests.db");
    Durations known;
    for (const Cycle& cycle : cycles) {
      if (cycle.size() >= of * kPerShard) {
        ++count;
        for (const Test& test : cycle) ideal += test.seconds / static_cast<double>(of);
        sums["1 Playwright"] += longest(cycle, by_count(cycle, known, of), of);
        sums["2 pytest-split, duration_based_chunks"] +=
            longest(cycle, duration_based_chunks(cycle, known, of), of);
        sums["3 pytest-split, least_duration"] +=
            longest(cycle, least_duration(cycle, known, of), of);
        sums["4 hebb"] += longest(cycle, hebb.shards(cycle, of), of);
        Durations own;
        for (const Test& test : cycle) own[test.name] = test.seconds;
        sums["5 the longest first, by what they take"] +=
            longest(cycle, least_duration(cycle, own, of), of);
      }
      hebb.learn(cycle);
      for (const Test& test : cycle) known[test.name] = test.seconds;
    }
  }
  std::filesystem::remove_all(folder);
  bench::Table table(fmt::format("{} shards, {} cycles", of, count),
                     ": the longest shard, and that of equal ones");
  for (const auto& [name, sum] : sums)
    table.add({name.substr(2), "s", sum / count, "total / shards", ideal / count, "", {}});
}

}  // namespace

int main(int argc, char** argv) {
  std::string path = HEBB_SOURCE_DIR "/examples/iofrol/iofrol.csv";
  const bool smoke = argc == 2 && argv[1] == std::string_view("--smoke");
  if (argc > 1 && !smoke) path = argv[1];
  try {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    Input input(text);
    std::vector<Cycle> cycles = cycles_of(test::read_verdicts(input));
    if (smoke) cycles.resize(std::min<std::size_t>(cycles.size(), 20));
    for (const std::size_t of : {5, 20}) measure(cycles, of);
  } catch (const std::exception& error) {
    fmt::print(stderr, "shards: {}: {}\n", path, error.what());
    return 1;
  }
}
