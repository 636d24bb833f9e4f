// Whose turn it is to write: a queue that the kernel keeps. SQLite makes writers try again after
// pauses that grow, so whoever has just written wins against those who wait. Here they wait in the
// order in which they came, and are woken.
//
// Two bytes of the database's file, far behind its end, are locked with Linux's locks of open files
// (F_OFD_SETLK; file_locks.h). Who has the second one has the turn. Who has the first one is the
// next, and the next alone waits for the second: so nobody has two turns in a row while there is a
// next. Only while the one behind is being woken, somebody who comes may become the next before it.
// If a process is killed, the kernel gives back what it had.
//
// The queue says who is first, not who may write. SQLite's lock does that, and holds against
// everybody.
#pragma once

#include <memory>
#include <string>

namespace hebb::sql {

// Of one connection; each has its place in the queue, also within one process.
class WriterQueue {
 public:
  // database: the full path of its file; empty: it has none, and nobody waits.
  explicit WriterQueue(std::string database) : path_(std::move(database)) {}

  // Waits for up to `ms`. The turn ends when what is returned is destroyed. nullptr: no turn, since
  // the time is over, the file cannot be locked so, or there is no room for a thread.
  std::shared_ptr<const void> wait(int ms);

 private:
  std::string path_;
  std::shared_ptr<const int> file_;  // a descriptor of its own
};

}  // namespace hebb::sql
