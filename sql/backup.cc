// The online backup.
#include <array>
#include <filesystem>

#include "sql/connection.h"
#include "sql/replace_file.h"

namespace hebb::sql {
namespace {

namespace fs = std::filesystem;

// SQLite itself waits for whoever holds the database, as long as its busy timeout says.
void copy_pages(sqlite3* from, sqlite3* to) {
  sqlite3_backup* backup = sqlite3_backup_init(to, "main", from, "main");
  if (backup == nullptr) fail(to, "begin a backup");
  sqlite3_backup_step(backup, -1);
  if (sqlite3_backup_finish(backup) != SQLITE_OK) fail(to, "copy the database");
}

// Not in WAL mode the copy is one file, and can be read where nothing can be written. SQLite's own
// pragma would make a log beside the copy first, which a killed process leaves there.
void leave_wal_mode(sqlite3* copy) {
  constexpr std::array<char, 2> kWithoutLog{1, 1};  // the format's versions for writing and reading
  constexpr int kVersionsAt = 18;
  sqlite3_file* file = nullptr;
  sqlite3_file_control(copy, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  const int rc = file->pMethods->xWrite(file, kWithoutLog.data(), kWithoutLog.size(), kVersionsAt);
  if (rc != SQLITE_OK)
    throw Error(rc, describe(rc, "back up the database", file_of(copy), sqlite3_errstr(rc)));
}

// Throws if the copy is damaged, so that it does not replace an older copy that is whole.
void check_pages(sqlite3* copy, const std::string& source) {
  const Prepared stmt = prepare(copy, "PRAGMA quick_check(1)", 0, "quick_check");
  Statement check(stmt.get(), "quick_check");
  if (!check.step() || check.text(0) == "ok") return;
  require_pages_read(check.text(0));
  throw Error(SQLITE_CORRUPT,
              describe(SQLITE_CORRUPT, "back up the database", source, check.text(0)));
}

// The target must not be a file of the database itself, nor have another database's log beside it.
void check_target(const std::string& path, const std::string& source) {
  if (is_file_of(path, source)) throw FileError(path + " is of the database itself");
  std::error_code ignored;
  for (const char* suffix : {"-wal", "-journal"}) {
    if (!fs::exists(path + suffix, ignored)) continue;
    throw Error(SQLITE_BUSY, describe(SQLITE_BUSY, "back up the database", path,
                                      "the target is a database that is open, or was not closed"));
  }
}

}  // namespace

void Database::backup_to(const std::string& path, FileReplacement::Existing existing) {
  check_target(path, this->path());
  FileReplacement file(path, existing);
  {
    const Connection target = open_new(file.new_file());
    // The copy is thrown away if anything fails, so it needs no rollback journal.
    run(target.get(), "PRAGMA journal_mode=OFF");
    copy_pages(handle(), target.get());
    leave_wal_mode(target.get());
  }
  check_pages(open_new(file.new_file()).get(), this->path());
  check_target(path, this->path());
  file.commit();
}

}  // namespace hebb::sql
