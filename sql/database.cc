// Connection, statements and transactions over SQLite's C interface. Every failure leaves as an
// Error that says what was attempted, on which file, what SQLite said, and what that usually means.
#include "sql/database.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <thread>
#include <utility>
#include <vector>

#include <sqlite3.h>

namespace hebb::sql {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int kPrimaryCode = 0xff;  // the low byte of an extended code
constexpr auto kRetryEvery = std::chrono::milliseconds(5);

std::string_view meaning(int code) {
  switch (code & kPrimaryCode) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return "another connection holds the database, try again";
    case SQLITE_CORRUPT:
      return "the database is damaged";
    case SQLITE_NOTADB:
      return "the file is not a database";
    case SQLITE_READONLY:
      return "the database cannot be written";
    case SQLITE_FULL:
      return "the disk is full";
    case SQLITE_CANTOPEN:
      return "the file cannot be opened; does its directory exist, and may it be written?";
    case SQLITE_IOERR:
      return "reading or writing the disk failed";
    default:
      return {};
  }
}

std::string describe(int code, std::string_view attempted, std::string_view path,
                     std::string_view message) {
  std::string out(attempted);
  out.append(" on ").append(path).append(": ");
  if (const auto text = meaning(code); !text.empty()) out.append(text).append(": ");
  return out.append(message).append(" (SQLite code ").append(std::to_string(code)).append(")");
}

std::string_view file_of(sqlite3* db) {
  const char* path = sqlite3_db_filename(db, "main");
  return path != nullptr && *path != '\0' ? path : ":memory:";
}

[[noreturn]] void fail(sqlite3* db, std::string_view attempted) {
  const int code = sqlite3_extended_errcode(db);
  throw Error(code, describe(code, attempted, file_of(db), sqlite3_errmsg(db)));
}

struct Close {
  void operator()(sqlite3* db) const { sqlite3_close_v2(db); }
};
using Connection = std::unique_ptr<sqlite3, Close>;

struct Finalize {
  void operator()(sqlite3_stmt* stmt) const { sqlite3_finalize(stmt); }
};
using Prepared = std::unique_ptr<sqlite3_stmt, Finalize>;

Connection open(const std::string& path, int flags, int busy_timeout_ms) {
  sqlite3* raw = nullptr;
  const int rc = sqlite3_open_v2(path.c_str(), &raw, flags | SQLITE_OPEN_EXRESCODE, nullptr);
  Connection db(raw);
  if (rc != SQLITE_OK) {
    const std::string message = db ? sqlite3_errmsg(db.get()) : sqlite3_errstr(rc);
    throw Error(rc, describe(rc, "open the database", path, message));
  }
  sqlite3_busy_timeout(db.get(), busy_timeout_ms);
  return db;
}

void run(sqlite3* db, const char* sql) {
  if (sqlite3_exec(db, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(db, sql);
}

// SQLite does not wait when the change of the journal mode meets another connection, so this does.
void use_wal(sqlite3* db, int busy_timeout_ms) {
  const auto deadline = Clock::now() + std::chrono::milliseconds(busy_timeout_ms);
  constexpr auto kSql = "PRAGMA journal_mode=WAL";
  while (sqlite3_exec(db, kSql, nullptr, nullptr, nullptr) != SQLITE_OK) {
    if ((sqlite3_errcode(db) & kPrimaryCode) != SQLITE_BUSY || Clock::now() >= deadline) {
      fail(db, kSql);
    }
    std::this_thread::sleep_for(kRetryEvery);
  }
}

Prepared prepare(sqlite3* db, std::string_view sql, unsigned flags, std::string_view name) {
  sqlite3_stmt* stmt = nullptr;
  const auto size = static_cast<int>(sql.size());
  if (sqlite3_prepare_v3(db, sql.data(), size, flags, &stmt, nullptr) != SQLITE_OK) {
    fail(db, std::string("prepare ").append(name));
  }
  return Prepared(stmt);
}

int open_flags(Database::Mode mode) {
  switch (mode) {
    case Database::Mode::read_only:
      return SQLITE_OPEN_READONLY;
    case Database::Mode::read_write:
      return SQLITE_OPEN_READWRITE;
    case Database::Mode::read_write_create:
      break;
  }
  return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
}

void copy_pages(sqlite3* from, sqlite3* to, int busy_timeout_ms) {
  sqlite3_backup* backup = sqlite3_backup_init(to, "main", from, "main");
  if (backup == nullptr) fail(to, "begin a backup");
  const auto deadline = Clock::now() + std::chrono::milliseconds(busy_timeout_ms);
  for (;;) {
    const int rc = sqlite3_backup_step(backup, -1);
    const bool held = rc == SQLITE_BUSY || rc == SQLITE_LOCKED;
    if (!held || Clock::now() >= deadline) break;
    std::this_thread::sleep_for(kRetryEvery);
  }
  if (sqlite3_backup_finish(backup) != SQLITE_OK) fail(to, "copy the database");
}

// A copy of damaged pages is damaged, and must not replace one that is not.
void check_pages(sqlite3* copy, const std::string& source) {
  const Prepared stmt = prepare(copy, "PRAGMA quick_check(1)", 0, "quick_check");
  Statement check(stmt.get(), "quick_check");
  if (!check.step() || check.text(0) == "ok") return;
  throw Error(SQLITE_CORRUPT,
              describe(SQLITE_CORRUPT, "back up the database", source, check.text(0)));
}

}  // namespace

// Error -------------------------------------------------------------------------------------------

Error::Error(int extended_code, const std::string& what)
    : std::runtime_error(what), code_(extended_code) {}

bool Error::cannot_open() const { return (code_ & 0xff) == SQLITE_CANTOPEN; }

bool Error::busy() const {
  const int primary = code_ & kPrimaryCode;
  return primary == SQLITE_BUSY || primary == SQLITE_LOCKED;
}

bool Error::not_a_database() const { return (code_ & kPrimaryCode) == SQLITE_NOTADB; }

bool Error::corrupt() const { return (code_ & kPrimaryCode) == SQLITE_CORRUPT || not_a_database(); }

bool Error::constraint() const { return (code_ & kPrimaryCode) == SQLITE_CONSTRAINT; }

// Statement ---------------------------------------------------------------------------------------

Statement::Statement(sqlite3_stmt* stmt, std::string_view name) : stmt_(stmt), name_(name) {}

Statement& Statement::reset() {
  sqlite3_reset(stmt_);  // repeats the error of the last step, which has been thrown already
  sqlite3_clear_bindings(stmt_);
  stepped_ = false;
  return *this;
}

void Statement::check_bind(int rc, int index) {
  if (rc == SQLITE_OK) return;
  std::string attempted = "bind parameter " + std::to_string(index) + " of ";
  fail(sqlite3_db_handle(stmt_), attempted.append(name_));
}

sqlite3_stmt* Statement::ready() {
  if (stepped_) reset();
  return stmt_;
}

Statement& Statement::bind(int index, int value) {
  return bind(index, static_cast<std::int64_t>(value));
}

Statement& Statement::bind(int index, std::int64_t value) {
  check_bind(sqlite3_bind_int64(ready(), index, value), index);
  return *this;
}

Statement& Statement::bind(int index, double value) {
  check_bind(sqlite3_bind_double(ready(), index, value), index);
  return *this;
}

Statement& Statement::bind(int index, const char* value) {
  return bind(index, std::string_view(value));
}

Statement& Statement::bind(int index, std::string_view value) {
  const char* data = value.data() != nullptr ? value.data() : "";  // a null pointer would bind NULL
  check_bind(sqlite3_bind_text64(ready(), index, data, value.size(), SQLITE_STATIC, SQLITE_UTF8),
             index);
  return *this;
}

Statement& Statement::bind(int index, std::span<const std::byte> blob) {
  const void* data = blob.data() != nullptr ? static_cast<const void*>(blob.data()) : "";
  check_bind(sqlite3_bind_blob64(ready(), index, data, blob.size(), SQLITE_STATIC), index);
  return *this;
}

Statement& Statement::bind_null(int index) {
  check_bind(sqlite3_bind_null(ready(), index), index);
  return *this;
}

bool Statement::step() {
  stepped_ = true;
  const int rc = sqlite3_step(stmt_);
  if (rc == SQLITE_ROW) return true;
  if (rc == SQLITE_DONE) return false;
  sqlite3* db = sqlite3_db_handle(stmt_);
  const int code = sqlite3_extended_errcode(db);
  const std::string message = sqlite3_errmsg(db);
  reset();  // a failed statement must not go on holding its locks
  throw Error(code, describe(code, std::string("run ").append(name_), file_of(db), message));
}

void Statement::run() {
  while (step()) {
  }
  reset();
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(stmt_, column) == SQLITE_NULL;
}

bool Statement::is_real(int column) const {
  return sqlite3_column_type(stmt_, column) == SQLITE_FLOAT;
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(stmt_, column); }

double Statement::real(int column) const { return sqlite3_column_double(stmt_, column); }

std::string_view Statement::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(stmt_, column));
  if (data == nullptr) return {};
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(stmt_, column))};
}

std::span<const std::byte> Statement::blob(int column) const {
  const auto* data = static_cast<const std::byte*>(sqlite3_column_blob(stmt_, column));
  if (data == nullptr) return {};
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(stmt_, column))};
}

int Statement::columns() const { return sqlite3_column_count(stmt_); }

std::string_view Statement::column_name(int column) const {
  const char* name = sqlite3_column_name(stmt_, column);
  return name != nullptr ? name : "";
}

// Database ----------------------------------------------------------------------------------------

struct Database::Impl {
  struct Cached {
    Prepared stmt;
    std::optional<Statement> statement;
  };

  std::string path;
  int busy_timeout_ms;
  Connection db;
  std::vector<Cached> cache{static_cast<std::size_t>(kQueryCount)};
};

Database::Database(const std::string& path, Mode mode, int busy_timeout_ms)
    : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  impl_->busy_timeout_ms = busy_timeout_ms;
  impl_->db = open(path, open_flags(mode), busy_timeout_ms);
  sqlite3* db = impl_->db.get();
  if (mode != Mode::read_only) {
    // SQLite opens a write-protected file for reading instead of refusing it.
    if (sqlite3_db_readonly(db, "main") == 1) {
      throw Error(SQLITE_READONLY, describe(SQLITE_READONLY, "open the database for writing", path,
                                            "the file is write-protected"));
    }
    // What belongs to another program is refused by migrate(), and stays as it is.
    const bool foreign = scalar("SELECT count(*) FROM sqlite_schema") != 0 &&
                         scalar("SELECT count(*) FROM sqlite_schema WHERE name = 'event'") == 0;
    if (!foreign) use_wal(db, busy_timeout_ms);
    run(db, "PRAGMA synchronous=FULL");
  }
  run(db, "PRAGMA foreign_keys=ON");
  run(db, "PRAGMA temp_store=MEMORY");
  run(db, "PRAGMA cell_size_check=ON");
}

Database::~Database() = default;
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;

Statement& Database::query(Query q) {
  auto& cached = impl_->cache.at(static_cast<std::size_t>(q));
  if (!cached.statement) {
    cached.stmt = prepare(impl_->db.get(), text(q), SQLITE_PREPARE_PERSISTENT, name(q));
    cached.statement.emplace(cached.stmt.get(), name(q));
  }
  return cached.statement->reset();
}

void Database::exec(std::string_view sql) { run(impl_->db.get(), std::string(sql).c_str()); }

std::int64_t Database::scalar(std::string_view sql) {
  const Prepared stmt = prepare(impl_->db.get(), sql, 0, sql);
  Statement statement(stmt.get(), sql);
  return statement.step() ? statement.integer(0) : 0;
}

std::int64_t Database::last_insert_rowid() const {
  return sqlite3_last_insert_rowid(impl_->db.get());
}

std::int64_t Database::changes() const { return sqlite3_changes64(impl_->db.get()); }

void Database::backup_to(const std::string& path) {
  std::error_code ignored;
  if (fs::equivalent(path, impl_->path, ignored)) {
    throw Error(SQLITE_MISUSE, describe(SQLITE_MISUSE, "back up the database", path,
                                        "the target is the database itself"));
  }
  if (fs::exists(path + "-wal", ignored)) {
    throw Error(SQLITE_BUSY, describe(SQLITE_BUSY, "back up the database", path,
                                      "the target is a database that is open"));
  }
  const std::string partial = path + ".partial";
  fs::remove(partial, ignored);
  try {
    const Connection target =
        open(partial, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, impl_->busy_timeout_ms);
    copy_pages(impl_->db.get(), target.get(), impl_->busy_timeout_ms);
    run(target.get(),
        "PRAGMA journal_mode=DELETE");  // one file, readable where nothing can be written
    check_pages(target.get(), impl_->path);
  } catch (...) {
    fs::remove(partial, ignored);
    throw;
  }
  std::error_code error;
  fs::rename(partial, path, error);
  if (error) {
    fs::remove(partial, ignored);
    throw Error(SQLITE_CANTOPEN,
                describe(SQLITE_CANTOPEN, "put the backup in place", path, error.message()));
  }
}

const std::string& Database::path() const { return impl_->path; }

void Database::set_busy_timeout(int ms) { sqlite3_busy_timeout(handle(), ms); }
bool Database::in_transaction() const { return sqlite3_get_autocommit(handle()) == 0; }
sqlite3* Database::handle() const { return impl_->db.get(); }

// Transaction -------------------------------------------------------------------------------------

Transaction::Transaction(Database& db, Kind kind) : db_(db) {
  db_.exec(kind == Kind::immediate ? "BEGIN IMMEDIATE" : "BEGIN");
}

Transaction::~Transaction() {
  // A full disk or a failed read may have rolled it back already.
  if (done_ || sqlite3_get_autocommit(db_.handle()) != 0) return;
  sqlite3_exec(db_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  db_.exec("COMMIT");
  done_ = true;
}

Savepoint::Savepoint(Database& db) : db_(db) { db_.exec("SAVEPOINT part"); }

Savepoint::~Savepoint() { sqlite3_exec(db_.handle(), "RELEASE part", nullptr, nullptr, nullptr); }

void Savepoint::roll_back() { db_.exec("ROLLBACK TO part"); }

// Unsynced ----------------------------------------------------------------------------------------

Unsynced::Unsynced(Database& db)
    : db_(db),
      synchronous_(db.scalar("PRAGMA synchronous")),
      checkpoint_pages_(db.scalar("PRAGMA wal_autocheckpoint")) {
  constexpr std::int64_t kNormal = 1;
  set(std::min(synchronous_, kNormal), 0);
}

Unsynced::~Unsynced() { set(synchronous_, checkpoint_pages_); }

void Unsynced::set(std::int64_t synchronous, std::int64_t checkpoint_pages) {
  // Both pragmas change the connection alone and have nothing to fail with.
  const std::string sql = "PRAGMA synchronous=" + std::to_string(synchronous) +
                          "; PRAGMA wal_autocheckpoint=" + std::to_string(checkpoint_pages);
  sqlite3_exec(db_.handle(), sql.c_str(), nullptr, nullptr, nullptr);
}

}  // namespace hebb::sql
