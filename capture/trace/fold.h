// From trace events to tool calls, and from calls to what they say about each other. Pure.
//
// A call has a window: from its start's `ts` to that plus its `duration_ms`, in whole milliseconds.
// A start without `ts` is of the time when it arrived. An end without `duration_ms` is of the time
// when it arrived if its start was, too; else of the latest time that the lines up to it have told,
// since the traced program's clock may be any other.
// Instants of one millisecond are ordered by their lines, so any two instants have an order: calls
// that ran one after another within a millisecond are told from calls that overlapped.
//
// Only calls that succeeded count; the others are as if they had never been there. Siblings are
// calls with the same parent_trace_id (or none):
//   FOLLOWS    A -> B: siblings, and B is the first to start after A has ended. Each call has at
//   most
//              one such B; A and B may be the same tool.
//   CO_OCCURS  A -> B and B -> A: siblings whose windows overlap; two calls of one tool give one
//              edge to itself. A call is paired with at most kMaxOverlaps that started before it.
//   CONTAINS   P -> C: C's parent_trace_id is P's trace_id.
// So a parent and its child neither follow nor overlap each other, nor do children of different
// parents: what holds between their parents says it.
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
  bool has_ts = false;  // `start` is what the trace said, not when its line arrived
  bool ended = false;
  bool succeeded = false;
};

// What one pair of calls says.
struct Observation {
  Relation relation = Relation::follows;
  const ToolCall* from = nullptr;
  const ToolCall* to = nullptr;
};

class TraceFold {
 public:
  static constexpr std::size_t kMaxOverlaps = 64;

  // Of one run, so that memory has a bound.
  struct Bounds {
    std::size_t calls = 1'000'000;
    std::size_t id_bytes = std::size_t{128} << 20;  // of trace ids and tools
    std::size_t observations = 250'000;             // overlaps beyond are left out
  };

  struct Counts {
    std::uint64_t calls = 0;
    std::uint64_t succeeded = 0;
    std::uint64_t failed = 0;
    std::uint64_t unfinished = 0;  // started, not ended
    std::uint64_t unmatched = 0;   // ends of calls that did not start, or had ended
    std::uint64_t repeated = 0;    // starts with a trace_id seen before: ignored
    std::uint64_t dropped = 0;     // starts past the bounds
  };

  TraceFold();
  explicit TraceFold(const Bounds& bounds);
  ~TraceFold();
  TraceFold(TraceFold&&) noexcept;
  TraceFold& operator=(TraceFold&&) noexcept;

  // `arrived`: when the line was read; used only where the event does not say its time. O(1)
  // expected.
  void add(const TraceEvent& event, TimeMs arrived = 0);
  Counts counts() const;
  // The calls that succeeded, in order of their start.
  std::vector<const ToolCall*> succeeded() const;
  // The tools of these calls, each once, in order of the first end that told of a success.
  std::vector<std::string_view> tools_called() const;
  // In no particular order, the same for the same events. O(n log n). Valid until the next add().
  // `left_out` gets how many overlaps were past the bound.
  std::vector<Observation> observations(std::uint64_t* left_out = nullptr) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hebb::capture
