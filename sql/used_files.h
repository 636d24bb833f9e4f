// Whether an open database is still the file at its path, and whether all processes that have it
// open use the same log and the same lock file.
//
// SQLite finds the log (-wal) and the file of its locks (-shm) by the database's name. Where a file
// has two names, by a hard link or because it is mounted by itself, a process that opens it by one
// name does not see the log and the locks of the other name, and if processes write by both, they
// destroy it. The same holds where -wal or -shm is removed while it is in use: the next process to
// open the database makes another.
#pragma once

#include <optional>
#include <string>

#include "sql/database.h"
#include "sql/file_locks.h"

namespace hebb::sql {

// Throws NotOurs if the file may have another name. Symbolic links are no names: SQLite follows
// them. Call it before the first read.
void require_one_name(sqlite3* db);

// Throws NotOurs if a file that SQLite would use, -wal, -shm or -journal, belongs to a user who may
// not write the database, but could put the file there, as in /tmp. Call it before the first read.
void require_own_log(sqlite3* db);

class UsedFiles {
 public:
  explicit UsedFiles(sqlite3* db);  // after its first read; throws NotOurs

  // What is wrong, and what to do; nullopt: nothing is. Call it within a transaction and after it.
  // Costs about seven system calls; up to a second if others seem to use other locks, since a
  // process may just be opening the database.
  std::optional<std::string> fault(sqlite3* db);
  bool lost_log() const;     // the log was removed, and nobody has made another
  bool has_its_log() const;  // the log and the lock file are those that it opened

 private:
  std::optional<std::string> look() const;

  std::string path_;  // empty: the database has no file
  FileId id_;
  std::optional<FileId> log_, locks_;  // in WAL mode
  std::optional<std::string> broken_;  // a fault that cannot be mended
};

}  // namespace hebb::sql
