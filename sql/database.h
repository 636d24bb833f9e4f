// SQLite with RAII: a connection, its prepared statements, a transaction. Knows nothing of hebb.
// One thread at a time may use a Database with its statements and transactions; each thread opens
// its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sql/queries.h"  // generated: enum class Query, one for each file in sql/queries/
#include "sql/replace_file.h"

struct sqlite3;
struct sqlite3_stmt;

namespace hebb::sql {

// Primary codes of SQLite.
inline constexpr int kFailed = 1;          // SQLITE_ERROR
inline constexpr int kBusy = 5;            // SQLITE_BUSY: another process holds it
inline constexpr int kLocked = 6;          // SQLITE_LOCKED
inline constexpr int kReadOnly = 8;        // SQLITE_READONLY
inline constexpr int kCorrupt = 11;        // SQLITE_CORRUPT, also of a damaged row
inline constexpr int kCannotOpen = 14;     // SQLITE_CANTOPEN
inline constexpr int kConstraint = 19;     // SQLITE_CONSTRAINT
inline constexpr int kNoDatabase = 26;     // SQLITE_NOTADB
inline constexpr int kPrimaryCode = 0xff;  // the low byte of an extended code

class Error : public std::runtime_error {
 public:
  Error(int extended_code, const std::string& what)
      : std::runtime_error(what), code_(extended_code) {}
  int code() const { return code_; }  // SQLite's extended result code
  // Another connection holds the lock: try again.
  bool busy() const { return is(kBusy) || is(kLocked); }
  // Not a database, or a damaged one.
  bool corrupt() const { return is(kCorrupt) || not_a_database(); }
  bool not_a_database() const { return is(kNoDatabase); }
  bool constraint() const { return is(kConstraint); }
  bool cannot_open() const { return is(kCannotOpen); }
  bool unwritable() const;  // but reading may still work: the file was moved, for example
  bool gone() const;        // the file, its log or its locks are no longer the ones opened
  bool damage() const;      // corrupt(), or the disk returned an error or too few bytes

 private:
  bool is(int primary) const { return (code_ & kPrimaryCode) == primary; }

  int code_;
};

// An error of a copy's upstream (upstream.h). what() also says what to do.
class UpstreamError : public Error {
 public:
  using Error::Error;
};

// Somebody else appended upstream meanwhile: nothing was changed; do the work again.
class Overtaken : public UpstreamError {
 public:
  explicit Overtaken(const std::string& what) : UpstreamError(kBusy, what) {}
};

// The path names another program's database, something that cannot be a database, or a file whose
// log or locks may be elsewhere (used_files.h). Nothing is changed.
class NotOurs : public Error {
 public:
  explicit NotOurs(const std::string& what) : Error(kCannotOpen, what) {}
};

// quick_check and integrity_check also report a page as damaged if there was no memory to read it.
// Throws Error (SQLITE_NOMEM) if their result `found` has such a page, since it then proves
// nothing.
void require_pages_read(std::string_view found);

class Savepoint;
class Transaction;
class Unlocked;
class Upstream;

// Borrowed from its Database; call step() until it is false. To stop earlier, call reset() or use a
// Reset: an unfinished statement keeps its snapshot open. A bind after a step resets first.
class Statement {
 public:
  // The name appears in errors. `name` and `unlocked` must outlive this.
  Statement(sqlite3_stmt* stmt, std::string_view name, const Unlocked* unlocked = nullptr);
  Statement& reset();  // also clears the bindings
  Statement& bind(int index, int value);
  Statement& bind(int index, std::int64_t value);
  Statement& bind(int index, double value);  // SQLite keeps NaN as NULL and -0.0 as 0.0
  Statement& bind(int index, const char* value);
  Statement& bind(int index, std::string_view value);  // must outlive the step
  Statement& bind(int index, std::span<const std::byte> blob);
  Statement& bind_null(int index);
  template <class T>
  Statement& bind(int index, const std::optional<T>& value) {
    return value ? bind(index, *value) : bind_null(index);
  }
  bool step();  // true: a row; throws Error
  void run();   // step to the end, then reset

  enum class Type { integer = 1, real, text, blob, null };  // as SQLite numbers them
  Type type(int column) const;                              // of the stored value
  bool is_null(int column) const { return type(column) == Type::null; }
  bool is_real(int column) const { return type(column) == Type::real; }
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string_view text(int column) const;  // valid until the next step
  std::span<const std::byte> blob(int column) const;
  int columns() const;
  std::string_view column_name(int column) const;

 private:
  sqlite3_stmt* ready();
  void check_bind(int rc, int index);

  sqlite3_stmt* stmt_;
  std::string_view name_;
  const Unlocked* unlocked_;
  bool stepped_ = false;
};

// Resets the statement when the scope ends, also by an exception.
class Reset {
 public:
  explicit Reset(Statement& statement) : statement_(statement) {}
  ~Reset() { statement_.reset(); }
  Reset(const Reset&) = delete;
  Reset& operator=(const Reset&) = delete;

 private:
  Statement& statement_;
};

class Database {
 public:
  // read_only makes no file and changes none. If SQLite's locks need a file that cannot be made, it
  // reads without locks, including the write-ahead log; step() then throws Error, busy(), if
  // somebody has written meanwhile. Throws Error; NotOurs for what cannot be a database, and for a
  // file that others may use with another log.
  enum class Mode { read_write_create, read_write, read_only };
  Database(const std::string& path, Mode mode, int busy_timeout_ms = 5000);  // ":memory:" too
  ~Database();
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;

  Statement& query(Query q);  // prepared once, reset, ready to bind
  // The same for a query whose text the caller has completed, always in the same way.
  Statement& query(Query q, std::string_view completed);
  // The first column of the first row of a query with these parameters; nullopt if there is no row.
  template <class... Values>
  std::optional<std::int64_t> integer(Query q, const Values&... values) {
    Statement& statement = query(q);
    const Reset reset(statement);
    int parameter = 0;
    (statement.bind(++parameter, values), ...);
    return statement.step() ? std::optional(statement.integer(0)) : std::nullopt;
  }
  void exec(std::string_view sql);  // any number of statements without parameters
  std::int64_t scalar(
      std::string_view sql);     // first column of the first row as an integer; 0 if none
  std::int64_t changes() const;  // rows that the last statement changed

  // Switches the file to WAL mode for good: readers and one writer do not wait for each other.
  // Until then a connection leaves the file and its log alone unless it writes. migrate() calls it.
  void use_wal();

  // Online backup into one file without a log beside it. Others may go on writing. An existing file
  // is replaced as FileReplacement says; a damaged database is not backed up. Throws Error,
  // FileError. O(size).
  void backup_to(const std::string& path,
                 FileReplacement::Existing existing = FileReplacement::Existing::replace);
  const std::string& path() const;
  int busy_timeout_ms() const;  // how long to wait for another writer
  void set_busy_timeout(int ms);
  bool in_transaction() const;
  void require_files();     // throws Error, gone(); see used_files.h
  bool is_writing() const;  // an immediate Transaction is open; others are its parts
  sqlite3* handle() const;

  // Makes the database a copy: from now on each immediate transaction is also one of its upstream.
  void set_upstream(std::unique_ptr<Upstream> upstream);
  Upstream* upstream() const;  // nullptr: it is no copy

 private:
  friend class Transaction;
  // Begins an immediate transaction. The turn to write (writer_queue.h) ends with the result's
  // life.
  std::shared_ptr<const void> begin_writing();
  void set_writing(bool writing);

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Rolls back unless committed. While an immediate transaction is open, later ones on the same
// Database are parts of it: each can be rolled back by itself, and none is durable before the whole
// is committed. That commit fails if SQLite has rolled the whole back by itself, as on a full disk.
class Transaction {
 public:
  // immediate: the only writer; of_copy: the same without the upstream, for data that only the copy
  // has.
  enum class Kind { deferred, immediate, of_copy };
  // Throws as commit() does.
  explicit Transaction(Database& db, Kind kind = Kind::immediate);
  ~Transaction();
  // SQLite's own commit with synchronous=FULL: the log is synced before the write lock is released,
  // so all that a connection can see is on the disk, and if the sync fails, nothing was committed.
  // Throws Error; gone() if the file, its log or its locks are no longer the ones opened.
  void commit();
  bool is_part() const { return part_ != nullptr; }

 private:
  Database& db_;
  const Kind kind_;
  std::shared_ptr<const void> turn_;
  Upstream* upstream_ = nullptr;     // set from its begin() until its end is reported to it
  std::unique_ptr<Savepoint> part_;  // set if it is a part of another
  bool done_ = false;
};

// A part of a transaction that can be rolled back by itself. Its changes stay unless roll_back() is
// called.
class Savepoint {
 public:
  explicit Savepoint(Database& db);
  ~Savepoint();
  Savepoint(const Savepoint&) = delete;
  Savepoint& operator=(const Savepoint&) = delete;
  void roll_back();

 private:
  Database& db_;
};

// The database has a newer schema than this program.
class NewerSchema : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
int schema_version();  // of this program: 1 without migrations, else the last one's
// Brings the database to the newest schema. An empty one gets schema.sql; an older one gets
// migrations/NNN_name.sql in order, each in its own transaction. Changes nothing, and throws
// NewerSchema or NotOurs, if the database is newer or another program's. Throws Error. Several
// processes may do it at once.
void migrate(Database& db);
// PRAGMA application_id of every database but those of hebb 0.1; stored, do not change.
inline constexpr std::int64_t kApplicationId = 0x68656262;  // "hebb"

// The same with the caller's schema and steps.
void migrate(Database& db, std::string_view schema, std::span<const Migration> steps);

}  // namespace hebb::sql
