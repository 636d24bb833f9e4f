#include "sql/used_files.h"

#include <chrono>
#include <thread>

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sql/connection.h"

namespace hebb::sql {
namespace {

// A process that opens a database locks it before its -shm: on a busy machine, this long before.
constexpr std::chrono::seconds kOpening{1};

std::optional<struct stat> stat_of(const std::string& path) {
  struct stat s {};
  if (::stat(path.c_str(), &s) != 0) return std::nullopt;
  return s;
}

std::optional<FileId> id_of(const std::string& path) {
  const auto s = stat_of(path);
  if (!s) return std::nullopt;
  return FileId{s->st_dev, s->st_ino};
}

std::string path_of(sqlite3* db) {
  const char* path = sqlite3_db_filename(db, "main");
  return path != nullptr ? path : "";
}

// As the kernel reports it; false if it does not.
bool is_mounted_by_itself(const std::string& path) {
  struct statx s {};
  return ::statx(AT_FDCWD, path.c_str(), 0, 0, &s) == 0 &&
         (s.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

std::string many_names(const std::string& path, nlink_t names) {
  return path + " has " + std::to_string(names) +
         " names (hard links), and who opens it by another name uses another log and other locks, "
         "which destroys it: remove the other names, or copy the file and name the copy; a "
         "symbolic link does no harm";
}

std::string moved(const std::string& path) {
  return path +
         " was deleted, moved or replaced while it was in use: what was written last is in no file "
         "of that name";
}

constexpr const char* kStartAgain =
    ": what was written last is refused; end all programs that use the database, and start again";

// What is wrong with the owners of the files beside the database. They may belong to its owner, to
// a user whom its mode lets write it, to root, and to the user of this process.
std::optional<std::string> foreign_log(const std::string& path) {
  const auto database = stat_of(path);
  if (path.empty() || !database) return std::nullopt;
  for (const char* suffix : {"-wal", "-shm", "-journal"}) {
    const std::string file = path + suffix;
    struct stat s {};
    if (::lstat(file.c_str(), &s) != 0) continue;  // the owner of a link, not of its target
    const bool of_group = (database->st_mode & S_IWGRP) != 0 && s.st_gid == database->st_gid;
    if (s.st_uid == database->st_uid || s.st_uid == ::geteuid() || s.st_uid == 0 || of_group ||
        (database->st_mode & S_IWOTH) != 0)
      continue;
    return file + " belongs to another user (uid " + std::to_string(s.st_uid) +
           "), who may not write " + path +
           ", and what is in it would count as written there: nothing was read; move it away, and "
           "keep the database in a folder that only its users may write to";
  }
  return std::nullopt;
}

enum class Users : std::uint8_t { same, other_locks, other_database };

// `file` is looked at again while somebody may just be opening the database.
Users users_of(FileId database, LockFile file, bool opening) {
  const auto deadline = Clock::now() + kOpening;
  for (;;) {
    const bool other_locks = file.others_hold_database && !file.others_hold_this;
    const bool other_database = opening && file.others_hold_this && !file.others_hold_database;
    if (!other_locks && !other_database) return Users::same;
    if (Clock::now() >= deadline) return other_locks ? Users::other_locks : Users::other_database;
    std::this_thread::sleep_for(kRetryEvery);
    const auto again = lock_file_of(database);
    if (!again) return Users::same;
    file = *again;
  }
}

std::string other_locks(const std::string& path) {
  return "another program has " + path + " open, but not " + path +
         "-shm: it has another name there (a hard link, or it is mounted by itself), or a file "
         "beside it was removed or replaced while it was in use; what both write would destroy it; "
         "end all programs that use it, then name it by one path (mount its folder, not the file)";
}

}  // namespace

void require_one_name(sqlite3* db) {
  const std::string path = path_of(db);
  const auto s = stat_of(path);
  if (path.empty() || !s) return;
  if (s->st_nlink > 1) throw NotOurs(many_names(path, s->st_nlink));
  if (!is_mounted_by_itself(path)) return;
  throw NotOurs(path +
                " is mounted by itself, so its log and its locks, which lie beside it, are not "
                "those of its other name, and writing by both names destroys it: mount its folder "
                "instead");
}

void require_own_log(sqlite3* db) {
  if (const auto text = foreign_log(path_of(db))) throw NotOurs(*text);
}

UsedFiles::UsedFiles(sqlite3* db) : path_(path_of(db)) {
  if (path_.empty()) return;
  int is_moved = 0;
  sqlite3_file_control(db, "main", SQLITE_FCNTL_HAS_MOVED, &is_moved);
  const auto id = id_of(path_);
  if (is_moved != 0 || !id) throw NotOurs(moved(path_));
  id_ = *id;
  if (!has_log(db)) return;
  const auto file = lock_file_of(id_);
  require_own_log(db);  // also files made since the first check
  log_ = id_of(path_ + "-wal");
  locks_ = file ? file->id : id_of(path_ + "-shm");
  if (const auto text = look()) throw NotOurs(*text);
  switch (file ? users_of(id_, *file, true) : Users::same) {
    case Users::same:
      return;
    case Users::other_locks:
      throw NotOurs(other_locks(path_));
    case Users::other_database:
      throw NotOurs("another program has " + path_ + "-shm open, but not " + path_ +
                    ": the database was replaced while it was in use, or that program lost its "
                    "locks; end it first");
  }
}

std::optional<std::string> UsedFiles::fault(sqlite3* db) {
  if (path_.empty() || broken_) return broken_;
  // A wrong name of the file can be mended without harm. A replaced log cannot.
  if (auto text = look()) {
    if (!has_its_log()) broken_ = text;
    return text;
  }
  const bool after_commit = sqlite3_get_autocommit(db) != 0;
  if (!log_ || after_commit) return std::nullopt;
  const auto file = lock_file_of(id_);
  if (!file) return std::nullopt;
  const bool writes = sqlite3_txn_state(db, "main") == SQLITE_TXN_WRITE;
  if (const auto log = stat_of(path_ + "-wal"); writes && log && log->st_size < file->log_bytes) {
    broken_ = path_ + "-wal was cut while it was in use, and what it had is lost" + kStartAgain +
              " from a backup where `verify` finds a fault";
  } else if (users_of(id_, *file, false) == Users::other_locks) {
    broken_ = other_locks(path_);
  }
  return broken_;
}

std::optional<std::string> UsedFiles::look() const {
  const auto database = stat_of(path_);
  if (!database || FileId{database->st_dev, database->st_ino} != id_) return moved(path_);
  if (database->st_nlink > 1) return many_names(path_, database->st_nlink);
  if (!log_) return std::nullopt;
  if (id_of(path_ + "-wal") != log_) {
    return path_ +
           "-wal was removed or replaced while it was in use, as a second copy of SQLite in this "
           "process does that closes the database" +
           kStartAgain;
  }
  if (id_of(path_ + "-shm") != locks_)
    return path_ + "-shm was removed or replaced while it was in use" + kStartAgain;
  return std::nullopt;
}

bool UsedFiles::lost_log() const { return log_ && !id_of(path_ + "-wal"); }

bool UsedFiles::has_its_log() const {
  return !log_ || (id_of(path_ + "-wal") == log_ && id_of(path_ + "-shm") == locks_);
}

}  // namespace hebb::sql
