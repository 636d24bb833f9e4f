// learning: how well the ranking foresaw what was done, and how contexts came out over time.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/operation.h"

namespace hebb::api {

struct LearningRequest {
  std::int64_t last = 100, contexts = 6, buckets = 24;
  static const Fields& fields();
};
struct Foreseen {
  std::string task;
  Time at;
  std::int64_t place = 0, candidates = 0, newest_place = 0;
  static const Fields& fields();
};
struct ContextBucket {
  Time at;
  std::int64_t successes = 0, failures = 0;
  double rate = 0;
  static const Fields& fields();
};
struct ContextCurve {
  std::string id, name;
  std::int64_t successes = 0, failures = 0;
  std::vector<ContextBucket> buckets;  // the oldest first
  static const Fields& fields();
};
struct LearningResult {
  std::int64_t completions = 0;
  double mrr = 0, newest_mrr = 0, random_mrr = 0, first_three = 0;
  std::vector<Foreseen> foreseen;  // the oldest first
  std::vector<ContextCurve> contexts;
  std::int64_t successes = 0, partial = 0, failures = 0;
  static const Fields& fields();
};
LearningResult learning(Session& session, const LearningRequest& request);
Operation learning_operation();

}  // namespace hebb::api
