// Verdicts of tests in cycles of continuous integration, as the data sets of RETECS have them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/input/input.h"

namespace hebb::study {

struct Verdict {
  std::string test;
  double duration = 0;  // of any unit, the same in all rows
  TimeMs at = 0;
  std::int64_t cycle = 0;
  bool failed = false;
};

// CSV with a head, fields separated by ";", at least the columns Name, Duration, LastRun (such as
// 2015-02-13 16:13:00, taken as UTC), Verdict (1: failed, 0: passed) and Cycle; others are passed
// over. The rows by cycle, those of a cycle as they stand in the file. Throws UnreadableInput,
// which names the line and the column.
std::vector<Verdict> read_verdicts(Input& input);

}  // namespace hebb::study
