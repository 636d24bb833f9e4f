// A simulation: tasks of hidden categories, and a scheduler that always runs the first one.
//
// Regret is the number of successes lost, compared with always choosing the best category that has
// an open task. The scenarios and the baselines are in docs/measurements.md.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "reward/policy.h"

namespace hebb::test {

struct SimulateOptions {
  int seeds = 60;
  std::uint64_t first_seed = 1;
  int steps = 500;
  int tasks = 60;  // open at any time
  int categories = 8;
  double step_minutes = 10;
  std::vector<reward::Setting> settings;  // as in BacktestOptions
  std::function<void(std::size_t done, std::size_t total)> progress;
};

struct SimulateScore {
  std::string ranking;   // "baseline formula", "baseline, own output", "hebb", "Thompson sampling"
  std::string scenario;  // S1 … S4
  double regret = 0;     // mean over the seeds
  double stderr_ = 0;    // standard error of that mean
};

// Same options, same result. Throws reward::BadPolicy, and std::invalid_argument for numbers
// below 1.
std::vector<SimulateScore> simulate(const SimulateOptions& options);

}  // namespace hebb::test
