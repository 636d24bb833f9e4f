// Tests of a real project put in order before each cycle: how early would its failures have been
// found?
//
// NAPFD is the measure of Spieker, Gotlieb, Marijan and Mossige ("Reinforcement Learning for
// Automatic Test Case Prioritization and Selection in Continuous Integration", ISSTA 2017): the
// tests of a cycle are run in the order given until a share of their whole duration is used up; a
// test that does not fit into what is left is passed over. With m failures in the cycle, p the
// share of them that was found, and n tests, a cycle's value is
//   p - sum(places of the failures found) / (m n) + p / (2 n)
// where places count the tests that were run, from 1. A cycle without failures counts 1.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/input/input.h"
#include "reward/policy.h"

namespace hebb::test {

// A verdict of a test in a cycle of continuous integration, as the data sets of RETECS have them.
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

struct NapfdOptions {
  std::vector<reward::Setting> settings;          // on top of the preset `tests`
  std::vector<double> budgets{0.1, 0.5, 0.8, 1};  // shares of a cycle's duration
  int shuffles = 50;                              // that "random" is the mean of
};

struct NapfdScore {
  std::string ordering;
  std::vector<double> napfd;  // by budget: the mean over all cycles
};

struct NapfdResult {
  std::size_t verdicts = 0, tests = 0, cycles = 0, failed = 0;
  std::vector<double> budgets;
  std::vector<NapfdScore> scores;
};

// Of one cycle, whose rows are in the order in which they are run.
double napfd(std::span<const Verdict* const> order, double budget);

// rows: as read_verdicts gives them. What an ordering knows before a cycle is what happened in
// those before it. Throws reward::BadPolicy. O(cycles * (tests + verdicts of the cycle *
// shuffles)).
NapfdResult measure_napfd(std::span<const Verdict> rows, const NapfdOptions& options);

}  // namespace hebb::test
