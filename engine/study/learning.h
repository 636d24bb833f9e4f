// Measures of learning, from the ledger: how well the ranking foresaw what was completed, and how
// the tasks of each context came out over time.
#pragma once

#include <string>
#include <vector>

#include "engine/engine.h"

namespace hebb::study {

struct LearningQuery {
  std::int64_t last = 100;    // how many of the latest completions to look at
  std::int64_t contexts = 6;  // how many contexts, those with most outcomes first
  std::int64_t buckets = 24;  // into how many spans of time their outcomes are counted
};

// A completed task, in the ranking just before.
struct Foreseen {
  std::string task;
  TimeMs at = 0;
  std::int64_t place = 0, candidates = 0;  // from 1
  std::int64_t newest_place = 0;           // where newest first would have put it
};
struct ContextBucket {
  TimeMs at = 0;  // its end
  std::int64_t successes = 0, failures = 0;
  double rate = 0;  // at its end: the mean that success_rate is made from, of outcomes alone
};
struct ContextCurve {
  std::string id, name;
  std::int64_t successes = 0, failures = 0;
  std::vector<ContextBucket> buckets;  // the oldest first
};
struct Learning {
  std::int64_t completions = 0;                    // that were ranked
  double mrr = 0, newest_mrr = 0, random_mrr = 0;  // means of 1 / place; random: of chance
  double first_three = 0;                          // a share
  std::vector<Foreseen> foreseen;                  // the oldest first
  std::vector<ContextCurve> contexts;
  std::int64_t successes = 0, partial = 0, failures = 0;  // of all outcomes
};
// Folds the ledger up to `now`, or to the latest event if that is later. O(events), and a ranking
// for each completion.
Learning learning(Engine& engine, const LearningQuery& query, TimeMs now);

}  // namespace hebb::study
