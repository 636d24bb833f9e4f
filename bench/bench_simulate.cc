// A world with known odds: how many successes does learning cost and bring (docs/measurements.md)?
//   bench_simulate [--smoke | SEEDS [STEPS [KEY=VALUE …]]]      default: 60 seeds of 500 steps
//                                                         KEY=VALUE is a setting of the policy
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "bench/measure.h"
#include "tests/support/simulate.h"

int main(int argc, char** argv) {
  hebb::test::SimulateOptions options;
  if (argc == 2 && argv[1] == std::string_view("--smoke")) {
    options.seeds = 2;
    options.steps = 50;
  } else {
    if (argc > 1) options.seeds = std::atoi(argv[1]);
    if (argc > 2) options.steps = std::atoi(argv[2]);
    for (int i = 3; i < argc; ++i) {
      const std::string setting = argv[i];
      const auto equals = setting.find('=');
      if (equals == std::string::npos) {
        std::cerr << "simulate: " << setting << " is no KEY=VALUE\n";
        return 2;
      }
      options.settings.push_back({setting.substr(0, equals), setting.substr(equals + 1)});
    }
  }
  try {
    const auto scores = hebb::test::simulate(options);
    hebb::bench::Table table(fmt::format("{} worlds of {} steps", options.seeds, options.steps),
                             ": successes lost against the best open category");
    for (const auto& s : scores) {
      const std::string name = fmt::format("{} {}", s.ranking, s.scenario);
      table.add({name, "successes", s.regret, "", {}, "", {}});
      table.add({name + ", standard error", "successes", s.stderr_, "", {}, "", {}});
    }
  } catch (const std::exception& e) {
    std::cerr << "simulate: " << e.what() << "\n";
    return 1;
  }
}
