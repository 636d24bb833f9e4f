// A simulated week of work, to compare ways to choose the next task: four agents, more tasks than
// they can do, and six kinds of task, whose chances of success nobody is told. Whether an attempt
// succeeds and how long it takes is drawn once for each task and attempt: it is the same whoever
// chooses, and whenever. docs/measurements.md says what the figures show and what they do not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reward/policy.h"

namespace hebb::test::week {

struct Options {
  int worlds = 100;
  std::uint64_t first_seed = 1;           // the worlds have this seed, the next, and so on
  std::vector<reward::Setting> settings;  // of hebb's policy
};

// The mean over the worlds, and the standard error of that mean.
struct Mean {
  double mean = 0, error = 0;
};

struct Score {
  std::string scheduler;  // "hebb", "oldest first" …
  // Of the hours of the week that were left when the tasks arrived, weighted by what they are
  // worth, the share that was left when they were done. 1: each was done as it arrived.
  Mean value;
  Mean of_oracle;  // that value divided by the one of "oracle", world by world
  Mean missed;     // of the tasks that were due in the week, the share not done by then
  Mean wasted;     // of the hours that the agents worked, the share that went into failed attempts
  Mean p0_hours;   // from the arrival of a P0 until it is first taken, or the week ends
};

// Same options, same result. Throws reward::BadPolicy, and std::invalid_argument for less than one
// world.
std::vector<Score> compare(const Options& options);

}  // namespace hebb::test::week
