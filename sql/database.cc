// Connection, statements and transactions over SQLite's C interface. Every failure throws an Error
// that says what was attempted, on which file, the message of SQLite, and what that usually means.
#include "sql/database.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "sql/connection.h"
#include "sql/schema_check.h"
#include "sql/upstream.h"
#include "sql/used_files.h"
#include "sql/writer_queue.h"

namespace hebb::sql {

// Error -------------------------------------------------------------------------------------------

// SQLite reports SQLITE_IOERR_FSTAT if the file vanished before its log was opened.
bool Error::gone() const { return code_ == SQLITE_READONLY_DBMOVED || code_ == SQLITE_IOERR_FSTAT; }

bool Error::unwritable() const {
  return is(kReadOnly) || is(kCannotOpen) || lacks_lock_file(code_) ||
         code_ == SQLITE_CONSTRAINT_TRIGGER;
}

bool Error::damage() const {
  return corrupt() || code_ == SQLITE_IOERR_READ || code_ == SQLITE_IOERR_SHORT_READ;
}

void require_pages_read(std::string_view found) {
  for (const int code : {SQLITE_NOMEM, SQLITE_IOERR_NOMEM}) {
    const std::string mark = "error code=" + std::to_string(code);
    for (auto at = found.find(mark); at != found.npos; at = found.find(mark, at + 1)) {
      const std::string_view rest = found.substr(at + mark.size());
      const bool is_whole = rest.empty() || rest.front() < '0' || rest.front() > '9';
      if (is_whole) throw Error(SQLITE_NOMEM, "check the file: out of memory");
    }
  }
}

// Statement ---------------------------------------------------------------------------------------

Statement::Statement(sqlite3_stmt* stmt, std::string_view name, const Unlocked* unlocked)
    : stmt_(stmt), name_(name), unlocked_(unlocked) {}

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
  const char* data = value.data() != nullptr ? value.data() : "";  // SQLite binds nullptr as NULL
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
  const bool first = !std::exchange(stepped_, true);
  const int rc = sqlite3_step(stmt_);
  // If somebody wrote meanwhile, an error may come from that and not from the file.
  if (unlocked_ && (first || rc != SQLITE_ROW)) {
    try {
      unlocked_->require_unchanged();
    } catch (...) {
      reset();
      throw;
    }
  }
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

Statement::Type Statement::type(int column) const {
  return static_cast<Type>(sqlite3_column_type(stmt_, column));
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
  std::unique_ptr<Unlocked> unlocked;
  Connection db;
  std::vector<Cached> cache{static_cast<std::size_t>(kQueryCount)};
  std::optional<UsedFiles> files;      // unless it is read without locks
  std::optional<WriterQueue> writers;  // made when this connection first writes
  std::unique_ptr<Upstream> upstream;
  bool writing = false;                      // an immediate Transaction is open
  std::optional<std::int64_t> schema_known;  // the schema's version whose triggers are hebb's

  // Closing must not write an old log into the file, nor remove another's log.
  ~Impl() {
    if (files && !files->has_its_log())
      sqlite3_db_config(db.get(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  }
};

Database::Database(const std::string& path, Mode mode, int busy_timeout_ms)
    : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  impl_->busy_timeout_ms = busy_timeout_ms;
  Opened opened = open_connection(path, mode, busy_timeout_ms);
  impl_->db = std::move(opened.db);
  impl_->unlocked = std::move(opened.unlocked);
  sqlite3* db = impl_->db.get();
  // SQLite opens a write-protected file for reading instead of refusing it. At the first read it
  // would make files for its locks, which would belong to whoever may not write the database, and
  // shut out those who may.
  if (mode != Mode::read_only && sqlite3_db_readonly(db, "main") == 1) {
    throw Error(SQLITE_READONLY, describe(SQLITE_READONLY, "open the database for writing", path,
                                          "the file is write-protected"));
  }
  // Closing must not write the log into the file, which may be another program's, before use_wal().
  sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  // A file may come from anybody. Until its triggers are known to be hebb's, its schema can call no
  // function that does more than compute; and SQL cannot write to SQLite's own structures. Not for
  // a temporary database, whose journal these settings would keep on.
  if (!path.empty()) {
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  }
  // Whether it is a database shows only at the first read.
  if (sqlite3_exec(db, "PRAGMA schema_version", nullptr, nullptr, nullptr) != SQLITE_OK) {
    fail(db, "open the database");
  }
  if (!impl_->unlocked) impl_->files.emplace(db);
  if (mode != Mode::read_only) {
    run(db, "PRAGMA synchronous=FULL");
    // Bytes, as many as a log has when SQLite writes it to the file. While somebody reads for long,
    // it grows; the first commit after that makes it so short again.
    run(db, "PRAGMA journal_size_limit=4194304");
  }
  run(db, "PRAGMA foreign_keys=ON");
  run(db, "PRAGMA temp_store=MEMORY");
  run(db, "PRAGMA cache_size=-6144");  // KiB: pages of indexes are met at random
  run(db, "PRAGMA cell_size_check=ON");
}

// SQLite does not wait for other connections when it changes the journal mode, so this does.
void Database::use_wal() {
  const auto deadline = Clock::now() + std::chrono::milliseconds(impl_->busy_timeout_ms);
  constexpr auto kSql = "PRAGMA journal_mode=WAL";
  while (sqlite3_exec(handle(), kSql, nullptr, nullptr, nullptr) != SQLITE_OK) {
    if ((sqlite3_errcode(handle()) & kPrimaryCode) != SQLITE_BUSY || Clock::now() >= deadline) {
      fail(handle(), kSql);
    }
    std::this_thread::sleep_for(kRetryEvery);
  }
  run(handle(), "PRAGMA schema_version");  // makes the log
  impl_->files.emplace(handle());
  sqlite3_db_config(handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, nullptr);
}

constexpr int kTurnMs = 100;  // the longest wait for the turn to write

std::shared_ptr<const void> Database::begin_writing() {
  const auto came_at = Clock::now();
  const int limit = impl_->busy_timeout_ms;
  if (!impl_->writers) {
    const char* file = sqlite3_db_filename(handle(), "main");
    impl_->writers.emplace(file != nullptr ? file : "");
  }
  // A stopped process in the queue holds up all behind it, so the wait for the queue has a short
  // limit. SQLite then waits in its own way for the rest of the time.
  auto turn = impl_->writers->wait(std::min(limit, kTurnMs));
  const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - came_at);
  const std::shared_ptr<void> wait_again(nullptr, [&](void*) { set_busy_timeout(limit); });
  set_busy_timeout(std::max(limit - static_cast<int>(waited.count()), 0));
  exec("BEGIN IMMEDIATE");
  try {
    // Nobody changes the schema from here on.
    const std::int64_t schema = scalar("PRAGMA schema_version");
    if (impl_->schema_known == schema) return turn;
    if (const auto foreign = foreign_trigger(*this))
      throw Error(SQLITE_CONSTRAINT_TRIGGER, impl_->path + ": " + *foreign);
    impl_->schema_known = schema;
  } catch (...) {
    sqlite3_exec(handle(), "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
  // The triggers write to the search index, a virtual table, which the SQLite of Debian 12 allows
  // to a trusted schema alone.
  sqlite3_db_config(handle(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 1, nullptr);
  return turn;
}

void Database::require_files() {
  if (!impl_->files) return;
  const auto fault = impl_->files->fault(handle());
  if (!fault) return;
  if (in_transaction()) sqlite3_exec(handle(), "ROLLBACK", nullptr, nullptr, nullptr);
  // Until somebody begins another log, commits in the old one can still be written to the file.
  if (impl_->files->lost_log())
    sqlite3_wal_checkpoint_v2(handle(), "main", SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  throw Error(SQLITE_READONLY_DBMOVED, *fault);
}

Database::~Database() = default;
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;

Statement& Database::query(Query q) { return query(q, text(q)); }

Statement& Database::query(Query q, std::string_view completed) {
  auto& cached = impl_->cache.at(static_cast<std::size_t>(q));
  if (!cached.statement) {
    try {
      cached.stmt = prepare(impl_->db.get(), completed, SQLITE_PREPARE_PERSISTENT, name(q));
    } catch (const Error& e) {
      if (e.code() != SQLITE_ERROR) throw;
      // The queries fit the schema of this version, so the schema in the file is another.
      throw Error(SQLITE_CORRUPT,
                  describe(SQLITE_CORRUPT, "read the schema", impl_->path, e.what()));
    }
    cached.statement.emplace(cached.stmt.get(), name(q), impl_->unlocked.get());
  }
  return cached.statement->reset();
}

void Database::exec(std::string_view sql) { run(impl_->db.get(), std::string(sql).c_str()); }

std::int64_t Database::scalar(std::string_view sql) {
  const Prepared stmt = prepare(impl_->db.get(), sql, 0, sql);
  Statement statement(stmt.get(), sql, impl_->unlocked.get());
  return statement.step() ? statement.integer(0) : 0;
}

std::int64_t Database::changes() const { return sqlite3_changes64(impl_->db.get()); }

const std::string& Database::path() const { return impl_->path; }

void Database::set_busy_timeout(int ms) {
  impl_->busy_timeout_ms = ms;
  sqlite3_busy_timeout(handle(), ms);
}
int Database::busy_timeout_ms() const { return impl_->busy_timeout_ms; }
bool Database::in_transaction() const { return sqlite3_get_autocommit(handle()) == 0; }
sqlite3* Database::handle() const { return impl_->db.get(); }

void Database::set_upstream(std::unique_ptr<Upstream> upstream) {
  impl_->upstream = std::move(upstream);
}
void Database::set_writing(bool writing) { impl_->writing = writing; }
bool Database::is_writing() const { return impl_->writing; }
Upstream* Database::upstream() const { return impl_->upstream.get(); }

}  // namespace hebb::sql
