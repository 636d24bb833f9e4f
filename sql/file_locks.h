// Locks that belong to an open file, in place of POSIX's, which belong to a process.
//
// A process may hold a second copy of SQLite: Python's, another library's. By POSIX's rules the two
// do not see each other's locks, and when one closes a file, the other's locks on it are gone. So a
// copy that opens, reads and closes a database takes itself for the last to use it, and removes the
// log to which hebb goes on writing. Linux's locks of open files (F_OFD_SETLK) hold against
// everybody until their owner gives them up; to other processes they are locks as any.
//
// SQLite lets its system calls be replaced. Those that lock are, for the files of the databases
// that are named here; for all others they stay as they were.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <sys/types.h>

namespace hebb::sql {

using FileId = std::pair<dev_t, ino_t>;

// From now on the database's file, and its -shm, are locked so by the SQLite that this is linked
// to. To be called before the file is opened, with its full path. Does nothing where the system has
// no such locks.
void lock_open_files(const std::string& database);

// The file -shm that this process has open for a database in WAL mode. As long as somebody has such
// a database open, they hold a lock on it and one on their -shm.
struct LockFile {
  FileId id;
  bool others_hold_database = false;  // with whichever -shm
  bool others_hold_this = false;
  std::int64_t log_bytes = 0;  // the log is at least so long, while nobody else may write
};
// nullopt also where there are no such locks.
std::optional<LockFile> lock_file_of(FileId database);

}  // namespace hebb::sql
