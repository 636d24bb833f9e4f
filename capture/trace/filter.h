// Takes the trace lines out of a stream of bytes; everything else is passed on unchanged.
//
// A line ends with "\n" (which belongs to it) or with the stream. A line that is not a trace is
// passed on as it arrives, without waiting for its end. One that begins with the prefix is held
// until its end; if it is longer than `max_held` bytes it is output. The result does not depend on
// how the stream is cut into chunks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/trace/event.h"

namespace hebb::capture {

class TraceFilter {
 public:
  struct Options {
    std::string key;                   // empty: every valid event counts
    std::size_t max_held = 64u << 10;  // bytes of one line, end of line excluded
  };
  struct Stats {
    std::uint64_t events = 0;   // lines taken out
    std::uint64_t invalid = 0;  // lines with the prefix, but invalid or without our key: output
  };
  using Sink = std::function<void(const TraceEvent&)>;
  using Spans = std::vector<std::string_view>;

  TraceFilter(Options options, Sink sink);

  // Appends the bytes to be written, in order, to `output`. The spans point into `chunk` and into
  // this filter: valid until the next call and as long as `chunk` is. O(chunk), in one pass.
  void feed(std::string_view chunk, Spans& output);
  void finish(Spans& output);  // the stream has ended

  const Stats& stats() const { return stats_; }

 private:
  // undecided: held_ is a proper beginning of the prefix (empty at the start of a line);
  // held: held_ begins with the whole prefix.
  enum class State : std::uint8_t { passing, undecided, held };

  std::size_t resume(std::string_view chunk, Spans& output);
  std::size_t resume_undecided(std::string_view chunk, Spans& output);
  std::size_t resume_held(std::string_view chunk, std::size_t from, Spans& output);
  void scan(std::string_view chunk, std::size_t from, Spans& output);
  bool take(std::string_view line);
  void hold(std::string_view rest, State state);
  void release(Spans& output);

  Options options_;
  Sink sink_;
  TraceParser parser_;
  Stats stats_;
  State state_ = State::undecided;
  std::string held_;
  std::string released_;  // bytes that `output` may point to until the next call
};

}  // namespace hebb::capture
