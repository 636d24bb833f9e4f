// How tasks that are done one after the other, as tests of a suite are, are divided among several
// machines.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string_view>

namespace hebb {

// The second of five parts of a suite.
struct Shard {
  std::int64_t number = 1;  // from 1
  std::int64_t of = 1;
};

// The units in one of the shards: the longest first, each is assigned to the shard that has the
// least so far (R. L. Graham, "Bounds on Multiprocessing Timing Anomalies", 1969: the longest shard
// is at most a third longer than it has to be). Of units that are equally long the first by name
// goes first; of shards that have equally much, the one with fewer units, then the first. So
// whoever has the same durations makes the same shards, and each unit is in exactly one. A unit
// counts at least a millisecond: a report's durations are no finer. seconds: of each unit. O(n log
// n).
std::set<std::string_view> units_of(const Shard& shard,
                                    const std::map<std::string_view, double>& seconds);

}  // namespace hebb
