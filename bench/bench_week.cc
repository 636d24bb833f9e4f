// A simulated week with known truth: what does each way to choose the next task bring
// (docs/measurements.md)? A table, means over the worlds ± their standard errors.
//   bench_week [--smoke | [WORLDS [FIRST_SEED]] [KEY=VALUE …]]   default: 100 worlds from seed 1
//                                                        KEY=VALUE is a setting of hebb's policy
#include <iostream>
#include <string>

#include <fmt/format.h>

#include "bench/measure.h"
#include "tests/support/week.h"

namespace {

using hebb::test::week::Mean;
using hebb::test::week::Options;
using hebb::test::week::Score;

struct Column {
  const char* name;
  const char* unit;
  Mean Score::*figure;
  int digits;
};
constexpr Column kColumns[] = {
    {"value", "share", &Score::value, 3},
    {"of the oracle's", "ratio", &Score::of_oracle, 3},
    {"missed", "share", &Score::missed, 3},
    {"wasted", "share", &Score::wasted, 3},
    {"P0 waits, hours", "hours", &Score::p0_hours, 1},
};

// Throws std::invalid_argument.
Options options_of(int argc, char** argv) {
  Options options;
  int numbers = 0;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto equals = word.find('=');
    if (word == "--smoke" && argc == 2) {
      options.worlds = 2;
    } else if (equals != std::string::npos) {
      options.settings.push_back({word.substr(0, equals), word.substr(equals + 1)});
    } else if (word.find_first_not_of("0123456789") != std::string::npos || ++numbers > 2) {
      throw std::invalid_argument(word + " is neither a number of worlds or seeds nor a KEY=VALUE");
    } else if (numbers == 1) {
      options.worlds = std::stoi(word);
    } else {
      options.first_seed = std::stoull(word);
    }
  }
  return options;
}

void print(const std::vector<Score>& scores) {
  fmt::print("  {:22}", "");
  for (const Column& column : kColumns) fmt::print(" {:>15}", column.name);
  for (const Score& score : scores) {
    fmt::print("\n  {:22}", score.scheduler);
    for (const Column& column : kColumns) {
      const Mean& figure = score.*column.figure;
      fmt::print(" {:>15}", fmt::format("{:.{}f} ± {:.{}f}", figure.mean, column.digits,
                                        figure.error, column.digits));
    }
  }
  fmt::print("\n");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = options_of(argc, argv);
    hebb::bench::Table table(
        fmt::format("{} worlds from seed {}", options.worlds, options.first_seed));
    const auto scores = hebb::test::week::compare(options);
    print(scores);
    for (const Score& score : scores) {
      for (const Column& column : kColumns) {
        const std::string name = fmt::format("{}: {}", score.scheduler, column.name);
        const Mean& figure = score.*column.figure;
        table.keep({name, column.unit, figure.mean, "", {}, "", {}});
        table.keep({name + ", standard error", column.unit, figure.error, "", {}, "", {}});
      }
    }
  } catch (const std::exception& e) {
    std::cerr << "week: " << e.what() << "\n";
    return 2;
  }
}
