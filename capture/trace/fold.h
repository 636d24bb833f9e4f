// Makes tool calls from trace events, and relations from calls. Pure.
//
// A call lasts from its start's `ts` until `duration_ms` later, in whole milliseconds. A start
// without `ts` gets its arrival time. An end without `duration_ms` gets its arrival time if its
// start did, too; else the latest time in any line up to it, because the traced program's clock may
// differ from ours. Times within one millisecond are ordered by their lines, so that calls that ran
// one after another within a millisecond are not taken for calls that overlapped.
//
// Only calls that succeeded count; the others are ignored. Siblings are calls with the same
// parent_trace_id (or none):
//   FOLLOWS    A -> B: siblings, and B is the first to start after A has ended. Each call has at
//              most one such B; A and B may be the same tool.
//   CO_OCCURS  A -> B and B -> A: siblings whose windows overlap; two calls of one tool give one
//              edge to itself. A call is paired with at most kMaxOverlaps that started before it.
//   CONTAINS   P -> C: C's parent_trace_id is P's trace_id.
// So a parent and its child neither follow nor overlap each other, nor do children of different
// parents: the relation between their parents is enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "capture/trace/event.h"

namespace hebb::capture {

enum class Relation : std::uint8_t { follows, co_occurs, contains };
std::string_view edge_type(Relation relation);  // "FOLLOWS", "CO_OCCURS", "CONTAINS"

struct ToolCall {
  std::string_view trace_id;  // texts are owned by the fold
  std::string_view parent_trace_id;
  const std::string* tool = nullptr;  // one text for each tool
  TimeMs start = 0, end = 0;
  std::uint64_t start_line = 0, end_line = 0;  // numbers of the events: 1, 2, …
  bool has_ts = false;                         // `start` is from the trace, not its line's arrival
  bool ended = false;
  bool succeeded = false;
};

// A relation between one pair of calls.
struct Observation {
  Relation relation = Relation::follows;
  const ToolCall* from = nullptr;
  const ToolCall* to = nullptr;
};

class TraceFold {
 public:
  static constexpr std::size_t kMaxOverlaps = 64;

  // Limits for one run, so that memory is bounded.
  struct Bounds {
    std::size_t calls = 1'000'000;
    std::size_t id_bytes = std::size_t{128} << 20;  // of trace ids and tools
    std::size_t observations = 250'000;             // with more, overlaps are left out
  };

  struct Counts {
    std::uint64_t calls = 0;
    std::uint64_t succeeded = 0;
    std::uint64_t failed = 0;
    std::uint64_t unfinished = 0;  // started but not ended
    std::uint64_t unmatched = 0;   // ends of calls that did not start, or had ended
    std::uint64_t repeated = 0;    // starts with a trace_id seen before: ignored
    std::uint64_t dropped = 0;     // starts past the bounds
  };

  TraceFold();
  explicit TraceFold(const Bounds& bounds);
  ~TraceFold();
  TraceFold(TraceFold&&) noexcept;
  TraceFold& operator=(TraceFold&&) noexcept;

  // `arrived`: when the line was read; used only if the event has no time. O(1) expected.
  void add(const TraceEvent& event, TimeMs arrived = 0);
  Counts counts() const;
  // The calls that succeeded, in order of their start.
  std::vector<const ToolCall*> succeeded() const;
  // The tools of these calls, each once, in order of their first successful end.
  std::vector<std::string_view> tools_called() const;
  // All relations between calls. Their order is not specified, but is the same for the same events.
  // O(n log n). Valid until the next add(). `left_out` is set to the number of overlaps past the
  // bound.
  std::vector<Observation> observations(std::uint64_t* left_out = nullptr) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hebb::capture
