// The recorder thread: takes lines from the queue, follows the session, and writes rows in batches.
// The database may be missing, locked, full or read-only at any time: rows then wait, bounded, and
// it is tried again; the first failure is told once. So is that there can be no thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "capture/record/mcp_session.h"
#include "capture/record/queue.h"

namespace hebb::capture {

struct WriterOptions {
  std::string database;
  Session::Identity identity;
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
    std::int64_t lost_lines = 0;  // that were not looked at: no room, nested too deep, a huge batch
  };
  // The connection is over: open calls fail with this reason. Waits until all is written, but no
  // longer than a second beyond the first failure to write, nor five without any row written, nor
  // thirty in all.
  Outcome finish(std::string failure, Stamp stamp);

 private:
  class Work;
  std::shared_ptr<Work> work_;  // the thread's too: it may outlive this where a disk hangs
};

}  // namespace hebb::capture
