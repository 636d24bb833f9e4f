// Whether a database that is open is still the file of its name, and whether all who have it open
// use the same log and the same locks.
//
// SQLite finds the log (-wal) and the file of its locks (-shm) by the database's name. Where a file
// has two names, by a hard link or because it is mounted by itself, who opens it by one name does
// not see the log and the locks of the other, and what both write destroys it. The same holds where
// -wal or -shm is removed while it is in use: the next to open the database makes another.
#pragma once

#include <optional>
#include <string>

#include "sql/database.h"
#include "sql/file_locks.h"

namespace hebb::sql {

// Throws NotOurs if the file may have another name. Symbolic links are no names: SQLite follows
// them. To be called before the first read.
void require_one_name(sqlite3* db);

// Throws NotOurs if a file that SQLite would believe, -wal, -shm or -journal, belongs to somebody
// who may not write the database. Where others may write to the folder, as in /tmp, they could
// leave one there. To be called before the first read.
void require_own_log(sqlite3* db);

class UsedFiles {
 public:
  explicit UsedFiles(sqlite3* db);  // after its first read; throws NotOurs

  // What is wrong, and what to do. Within a transaction and after it. Some seven system calls; a
  // second where others seem to use other locks, since somebody may just be opening the database.
  std::optional<std::string> fault(sqlite3* db);
  bool lost_log() const;     // it was removed, and nobody has made another
  bool has_its_log() const;  // and its locks

 private:
  std::optional<std::string> look() const;

  std::string path_;  // empty: it has no file
  FileId id_;
  std::optional<FileId> log_, locks_;  // in WAL mode
  std::optional<std::string> broken_;  // stays so
};

}  // namespace hebb::sql
