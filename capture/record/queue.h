// Complete lines on their way from the byte pump to the recorder thread. Bounded: what does not fit
// is dropped and counted, so that the pump never waits for the recorder.
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

#include "capture/record/mcp_session.h"

namespace hebb::capture {

// A line as it went by. Longer than LineTap::kWholeBytes it comes scanned, not as text.
struct ObservedLine {
  Direction direction = Direction::to_server;
  Stamp stamp;
  std::string text;
  std::unique_ptr<LineScanner> scanned;
  std::size_t lost_before = 0;  // lines dropped since the line before this one
  // No line: what the protocol's session is from here on; empty: none.
  std::optional<std::string> mcp_session = {};

  static ObservedLine of_session(std::string id);
};

class LineQueue {
 public:
  explicit LineQueue(std::size_t bytes) : bound_(bytes) {}

  // Never waits longer than it takes to move a pointer.
  void push(ObservedLine line);
  void lose();  // a line that cannot be pushed at all
  void close();

  struct Taken {
    std::vector<ObservedLine> lines;
    bool closed = false;  // and nothing will come any more
  };
  // Waits for a line, no longer than `idle`; then `gather` for more (a half-full queue and close()
  // end that); takes all there are.
  Taken take(std::chrono::milliseconds idle, std::chrono::milliseconds gather);
  std::size_t lost() const;
  std::size_t size() const;  // lines that wait

 private:
  bool pressing() const { return closed_ || held_ > bound_ / 2; }

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
                                             << 20;  // a longer line is scanned as it goes by
  static constexpr std::size_t kKeptBytes = std::size_t{128} << 10;  // of a value in such a line

  LineTap(Direction direction, LineQueue& queue) : direction_(direction), queue_(queue) {}

  // Without memory for it nothing more of this direction is observed; the traffic must not notice.
  void seen(std::string_view bytes, Stamp stamp) noexcept;
  void ended(Stamp stamp) noexcept;  // what came after the last line end is a line too

 private:
  void split(std::string_view bytes, Stamp stamp);
  void add(std::string_view bytes);
  void line(Stamp stamp);

  Direction direction_;
  LineQueue& queue_;
  bool blind_ = false;
  std::string text_;
  std::unique_ptr<LineScanner> scanner_;  // of a line longer than kWholeBytes
};

}  // namespace hebb::capture
