// One trace line: the prefix "__TRACE__", then one JSON object for the beginning or the end of a
// tool call.
//
//   __TRACE__{"type":"tool_start","tool":"fs:read","trace_id":"1","ts":1701792000000,"parent_trace_id":"0"}
//   __TRACE__{"type":"tool_end","trace_id":"1","success":true,"duration_ms":45}
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace hebb::capture {

using TimeMs = std::int64_t;  // epoch milliseconds, UTC

inline constexpr std::string_view kTracePrefix = "__TRACE__";

// The texts are in the parser's memory: valid until its next parse().
struct TraceEvent {
  enum class Kind : std::uint8_t { start, end };
  Kind kind = Kind::start;
  std::string_view trace_id;
  std::string_view tool;              // start
  std::string_view parent_trace_id;   // start; empty: none
  std::optional<TimeMs> ts;           // start; whole milliseconds
  bool success = false;               // end
  std::optional<double> duration_ms;  // end; never negative (a clock that was set back gives 0)
  std::string_view error;             // end; empty: no error, or no text
};

// Strict: a line with any error in it is not an event. Unknown fields are ignored; `ts` and
// `duration_ms` may be absent or null. tool, trace_id and parent_trace_id can be ids of nodes
// (check_name).
class TraceParser {
 public:
  // With a key, an event must have it in its field "key".
  explicit TraceParser(std::string key = {});
  ~TraceParser();
  TraceParser(TraceParser&&) noexcept;
  TraceParser& operator=(TraceParser&&) noexcept;

  // `json` is the line after its prefix, with or without its end of line. O(length).
  std::optional<TraceEvent> parse(std::string_view json);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace hebb::capture
