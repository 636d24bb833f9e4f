// Locks that belong to an open file, in place of POSIX's, which belong to a process.
//
// A process may hold a second copy of SQLite: Python's, another library's. By POSIX's rules the two
// do not see each other's locks, and when one closes a file, the other's locks on it are gone. So a
// copy that opens, reads and closes a database takes itself for the last to use it, and removes the
// log to which hebb goes on writing. Linux's locks of open files (F_OFD_SETLK) hold against
// everybody until their owner gives them up; other processes see them like any lock.
//
// SQLite lets a program replace its system calls. Here the calls that lock are replaced, but only
// for the databases that are passed to lock_open_files().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <sys/types.h>

namespace hebb::sql {

using FileId = std::pair<dev_t, ino_t>;

// From now on the SQLite that this program is linked to locks the database's file and its -shm in
// this way. Call it before the file is opened, with its full path. Does nothing if the system has
// no such locks.
void lock_open_files(const std::string& database);

// The file -shm that this process has open for a database in WAL mode. Every connection to such a
// database holds a lock on the database and one on the -shm that it uses.
struct LockFile {
  FileId id;
  bool others_hold_database = false;  // other processes, whichever -shm they use
  bool others_hold_this = false;      // other processes hold this -shm
  std::int64_t log_bytes = 0;         // the log is at least so long, while nobody else may write
};
// nullopt: the process has no such file open, or the system has no such locks.
std::optional<LockFile> lock_file_of(FileId database);

}  // namespace hebb::sql
