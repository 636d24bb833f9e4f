// Upper bounds of all inputs.
#pragma once

#include <cstddef>

#include "graph/graph.h"

namespace hebb {

using graph::TimeMs;

inline constexpr int kLastPriority = 4;  // the least urgent

struct Limits {
  static constexpr std::size_t kIdBytes = 512;        // ids, types, states, agents, sessions
  static constexpr std::size_t kLineBytes = 1 << 20;  // one item, whatever its format
  // A line of a log: it holds an item as it came, and the values looked up for it.
  static constexpr std::size_t kLogLineBytes = 16 << 20;
  static constexpr std::size_t kKeptBytes = 64 << 10;       // of an item that is longer than that
  static constexpr std::size_t kInputBytes = 1 << 30;       // one input, unless more is asked for
  static constexpr std::size_t kDocumentBytes = 256 << 20;  // one that is held as a whole: a JSON
                                                            // array, a report, all of it or nothing
  static constexpr std::size_t kPropertiesBytes = 64 << 10;  // as canonical JSON
  static constexpr std::size_t kDepth = 64;                  // of objects and arrays within an item
  static constexpr std::size_t kVectorDimension = 4096;
  static constexpr std::size_t kRelatedNodes = 1024;
  // How many edge types one database may have, how many node types, and how many states. Their
  // numbers have 16 bits; the rest is for names that the engine itself writes.
  static constexpr std::size_t kNames = 65'000;
  // Bounds of times that are read. The first is in March 1973: smaller numbers look like seconds.
  static constexpr TimeMs kEarliestTime = 100'000'000'000;
  static constexpr TimeMs kLatestTime = 253'402'300'799'999;  // the end of the year 9999
};

}  // namespace hebb
