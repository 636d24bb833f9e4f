// The queue of complete lines from the relay to the recorder thread. It is bounded: lines that
// do not fit are dropped and counted, so that the relay never waits for the recorder.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/record/call_tracker.h"

namespace hebb::capture {

// A line of the traffic. Beyond LineTap::kWholeBytes, `scanned` is set instead of `text`.
struct ObservedLine {
  Direction direction = Direction::to_server;
  LineTime time = {};
  std::string text = {};
  std::unique_ptr<LineScanner> scanned = {};
  std::size_t lost_before = 0;  // lines dropped since the line before this one
  // If set, this is no line but the protocol's session from now on; empty: none.
  std::optional<std::string> mcp_session = {};
};

class LineQueue {
 public:
  explicit LineQueue(std::size_t bytes) : bound_(bytes) {}

  // Holds the lock only to move a pointer.
  void push(ObservedLine line);
  void count_lost();  // counts a line that could not be pushed
  void close();

  struct Batch {
    std::vector<ObservedLine> lines;
    bool closed = false;  // no more lines will be pushed
  };
  // Waits at most `idle` for a line, then `gather` for more lines (ended early by a half-full queue
  // or close()), and takes all of them.
  Batch take(std::chrono::milliseconds idle, std::chrono::milliseconds gather);
  std::size_t lost() const;
  std::size_t size() const;  // waiting lines

 private:
  bool is_urgent() const { return closed_ || held_ > bound_ / 2; }

  const std::size_t bound_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<ObservedLine> lines_;
  std::size_t held_ = 0;  // bytes
  std::size_t lost_ = 0, lost_now_ = 0;
  bool closed_ = false;
};

// Splits the bytes of one direction into lines, in bounded memory, and queues them. A long line
// that may have been a message and cannot be read (a batch, or nested too deep) is lost.
class LineTap {
 public:
  static constexpr std::size_t kWholeBytes = std::size_t{1}
                                             << 20;  // a longer line is scanned piece by piece
  static constexpr std::size_t kKeptBytes = std::size_t{128} << 10;  // of a value in such a line

  LineTap(Direction direction, LineQueue& queue) : direction_(direction), queue_(queue) {}

  // Without enough memory this direction is not observed any more; never throws.
  void feed(std::string_view bytes, LineTime time) noexcept;
  void finish(LineTime time) noexcept;  // bytes after the last line end count as a line

 private:
  void split(std::string_view bytes, LineTime time);
  void add(std::string_view bytes);
  void line(LineTime time);

  Direction direction_;
  LineQueue& queue_;
  bool failed_ = false;
  std::string text_;
  std::unique_ptr<LineScanner> scanner_;  // of a line longer than kWholeBytes
};

}  // namespace hebb::capture
