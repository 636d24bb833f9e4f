// Which task goes first, decided here alone.
#pragma once

#include <algorithm>
#include <compare>
#include <string_view>

#include "graph/graph.h"
#include "reward/factors.h"

namespace hebb::reward {

struct Ranked {
  graph::NodeId node = graph::kNoNode;
  Factors factors;
};

// What decides first: the tier (pinned, pressing …), then the priority. Orders what is not a
// number, too, as a damaged graph cache may have it: else sorting is undefined.
struct RankKey {
  std::int64_t tier = 0;
  double priority = 0;
};
std::weak_ordering operator<=>(const RankKey& a, const RankKey& b);

// All that decides.
struct Standing {
  const Factors& factors;
  double priority = 0;                 // theirs, or multiplied with `change`
  double change = 1;                   // what a query multiplied it with
  TimeMs duration_ms = graph::kNever;  // how long it took last; kNever: not known
  TimeMs created_at = graph::kNever;   // kNever: not created yet
  std::string_view id;
};
// By RankKey; among equals the one that a query multiplied least, then by base and test_failures.
// Ties: the shorter, and last tasks without a known duration; but of tests that failed when they
// last ran, the duration says nothing. Then the older, then by id.
bool goes_first(const Standing& a, const Standing& b);
bool goes_first(const graph::Graph& g, const Ranked& a, const Ranked& b);

// Priorities as a share of the largest, which is that of the first but where tiers differ.
class RelativePriority {
 public:
  void add(double priority) { largest_ = std::max(largest_, priority); }
  double of(double priority) const { return largest_ > 0 ? priority / largest_ : 0; }
  double largest() const { return largest_; }

 private:
  double largest_ = 0;
};

}  // namespace hebb::reward
