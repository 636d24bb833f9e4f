// Whether tasks succeed as often as their labels and their own outcomes predict: the Brier score
// (Brier 1950) and the reliability of the chance that `success_rate` is a power of.
#pragma once

#include <array>
#include <cstddef>

#include "engine/fold/state.h"

namespace hebb::study {

// Outcomes that were given about the same chance. Means; 0 where there are none.
struct Reliability {
  std::size_t outcomes = 0;
  double foreseen = 0, succeeded = 0;
};

struct Chances {
  std::size_t outcomes = 0;
  // Mean squares of the difference between a chance and what came: 0 is certain and right. base:
  // of the share of successes among all outcomes before.
  double brier = 0, base_brier = 0;
  std::array<Reliability, 5> reliability;  // a fifth of all chances each, from 0 on
};

class ChanceCount {
 public:
  // An outcome that the state does not have yet. asked: whether it is one to count. O(edges into
  // the task's labels).
  void add(const State& state, graph::NodeId task, TimeMs at, bool succeeded, bool asked);
  Chances result() const;

 private:
  Chances sums_;
  double successes_ = 0, outcomes_ = 0;
};

}  // namespace hebb::study
