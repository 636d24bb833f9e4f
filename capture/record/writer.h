// The recorder thread: takes lines from the queue, feeds them to the call tracker, and writes
// rows in batches. If the database is missing, locked, full or read-only, rows wait in bounded
// memory and the write is tried again. It warns only of the first failure, or if no thread can be
// started.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "capture/record/call_tracker.h"
#include "capture/record/queue.h"

namespace hebb::capture {

struct WriterOptions {
  std::string database;
  CallTracker::Identity identity;
  std::int64_t turn_grace_ms = Turns::kGraceMs;
  std::function<void(std::string_view)> warn;  // called on the recorder thread; must not throw
};

class RecordWriter {
 public:
  RecordWriter(WriterOptions options, std::shared_ptr<LineQueue> queue);
  ~RecordWriter();  // precondition: finish() was called

  struct Outcome {
    std::int64_t stored = 0;
    std::int64_t lost = 0;        // calls that are not in the database
    std::int64_t lost_lines = 0;  // unread: no room, nested too deep, a huge batch
  };
  // The connection has ended: open calls fail with this reason. Waits until all is written, but at
  // most one second after the first failed write, five seconds without any row written, and thirty
  // seconds in all.
  Outcome finish(std::string failure, LineTime time);

 private:
  class Work;
  std::shared_ptr<Work> work_;  // shared with the thread, which may outlive this if a disk hangs
};

}  // namespace hebb::capture
