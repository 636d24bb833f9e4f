// A queue of the connections that want to write, held by the kernel. SQLite makes writers try again
// after pauses that grow, so a process that has just written wins against the waiting ones. Here
// they wait in the order in which they came, and are woken.
//
// Two bytes of the database's file, far behind its end, are locked with Linux's locks of open files
// (F_OFD_SETLK; file_locks.h). The holder of the second byte has the turn. The holder of the first
// is next, and only it waits for the second: so nobody has two turns in a row while another waits.
// Only while the kernel wakes a waiting process, a new one may get the first byte before it. If a
// process is killed, the kernel releases its locks.
//
// The queue decides only the order. SQLite's lock decides who may write, and holds against
// everybody.
#pragma once

#include <memory>
#include <string>

namespace hebb::sql {

// The place of one connection in the queue. Connections of one process have places of their own.
class WriterQueue {
 public:
  // database: the full path of its file; empty: it has no file, and nobody waits.
  explicit WriterQueue(std::string database) : path_(std::move(database)) {}

  // Waits up to `ms` for the turn, which ends when the result is destroyed. nullptr: no turn,
  // because the time is over, the file cannot be locked, or no thread can be started.
  std::shared_ptr<const void> wait(int ms);

 private:
  std::string path_;
  std::shared_ptr<const int> file_;  // a descriptor of its own
};

}  // namespace hebb::sql
