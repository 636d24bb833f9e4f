// Opening a file: SQLite's handles, its errors as text, and the three ways in which a file can be
// opened. Only for the room sql/.
#pragma once

#include <array>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <sqlite3.h>
#include <sys/stat.h>

#include "sql/database.h"

namespace hebb::sql {

using Clock = std::chrono::steady_clock;
inline constexpr auto kRetryEvery = std::chrono::milliseconds(5);  // while another holds the file

// Whether the code says that the file -shm, in which SQLite keeps its locks, could not be made.
bool lacks_lock_file(int code);

std::string describe(int code, std::string_view attempted, std::string_view path,
                     std::string_view message);
std::string_view file_of(sqlite3* db);  // ":memory:" if it has none
[[noreturn]] void fail(sqlite3* db, std::string_view attempted);
void run(sqlite3* db, const char* sql);

struct Close {
  void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
};
using Connection = std::unique_ptr<sqlite3, Close>;

struct Finalize {
  void operator()(sqlite3_stmt* stmt) const { sqlite3_finalize(stmt); }
};
using Prepared = std::unique_ptr<sqlite3_stmt, Finalize>;
Prepared prepare(sqlite3* db, std::string_view sql, unsigned flags, std::string_view name);
bool has_log(sqlite3* db);  // a write-ahead log

// A database that is read without locks, because the file for them cannot be made. What was read
// is valid only if nothing has been written since the database was opened.
class Unlocked {
 public:
  explicit Unlocked(const std::string& path);  // notes the state of the files
  bool has_log() const;                        // the last commits may be in the log only
  void require_unchanged() const;              // throws Error, busy()

 private:
  using Files = std::array<std::optional<struct stat>, 3>;  // the database, -wal, -shm
  Files look() const;

  std::string path_;
  Files files_;
};

struct Opened {
  Connection db;
  std::unique_ptr<Unlocked> unlocked;  // null: SQLite's locks are used
};
Opened open_connection(const std::string& path, Database::Mode mode, int busy_timeout_ms);
// An empty file for a copy.
Connection open_new(const std::string& path);

}  // namespace hebb::sql
