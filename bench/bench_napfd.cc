// How early does the preset `tests` find the failures of a real project's test cycles, beside
// simple orderings and what nobody can know (docs/measurements.md)? It measures no time.
//
//   bench_napfd [--smoke | CSV [KEY=VALUE ...]]       default: examples/iofrol/iofrol.csv
//                                                     KEY=VALUE is a setting of the policy
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "bench/measure.h"
#include "tests/support/napfd.h"

int main(int argc, char** argv) {
  std::string path = HEBB_SOURCE_DIR "/examples/iofrol/iofrol.csv";
  hebb::test::NapfdOptions options;
  if (argc == 2 && argv[1] == std::string_view("--smoke")) {
    options.shuffles = 1;
  } else if (argc > 1) {
    path = argv[1];
  }
  for (int i = 2; i < argc; ++i) {
    const std::string setting = argv[i];
    const std::size_t equals = std::min(setting.find('='), setting.size() - 1);
    options.settings.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
  }
  try {
    std::ifstream file(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    hebb::Input input(text);
    const auto result = hebb::test::measure_napfd(hebb::test::read_verdicts(input), options);
    hebb::bench::Table table(fmt::format("{} verdicts of {} tests in {} cycles, {:.1f} % failed",
                                         result.verdicts, result.tests, result.cycles,
                                         100.0 * static_cast<double>(result.failed) /
                                             static_cast<double>(result.verdicts)),
                             ": how early failures are found, by share of a cycle's duration");
    for (const auto& score : result.scores) {
      for (std::size_t b = 0; b < result.budgets.size(); ++b)
        table.add({fmt::format("{}, {:g} %", score.ordering, 100 * result.budgets[b]),
                   "NAPFD",
                   score.napfd[b],
                   "",
                   {},
                   "",
                   {}});
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "napfd: {}: {}\n", path, error.what());
    return 1;
  }
}
