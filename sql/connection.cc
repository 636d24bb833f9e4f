#include "sql/connection.h"

#include <chrono>
#include <thread>

#include <unistd.h>

#include "sql/file_locks.h"
#include "sql/search_tokenizer.h"
#include "sql/used_files.h"

namespace hebb::sql {
namespace {

using std::chrono::milliseconds;

// File times are those of the kernel's last tick. A file changed more recently than this may be
// changed again without getting another time.
constexpr milliseconds kStampAge{20};

constexpr std::pair<int, std::string_view> kMeanings[] = {
    {SQLITE_BUSY, "another connection holds the database, try again"},
    {SQLITE_LOCKED, "another connection holds the database, try again"},
    {SQLITE_CORRUPT, "the database is damaged"},
    {SQLITE_NOTADB, "the file is not a database"},
    {SQLITE_READONLY, "the database cannot be written"},
    {SQLITE_FULL, "the disk is full"},
    {SQLITE_CANTOPEN,
     "the file cannot be opened; does its directory exist, and may it be written?"},
    {SQLITE_IOERR, "reading or writing the disk failed"},
};

std::string_view meaning(int code) {
  if (code == SQLITE_IOERR_FSTAT) return "it was deleted, moved or replaced just now";
  if (lacks_lock_file(code)) return "there is no room for the file -shm beside it";
  for (const auto& [primary, text] : kMeanings) {
    if (primary == (code & kPrimaryCode)) return text;
  }
  return {};
}

Connection open_flagged(const std::string& path, int flags, int busy_timeout_ms,
                        const std::string& named) {
  sqlite3* raw = nullptr;
  // A connection belongs to one thread at a time, so SQLite need not lock at each call.
  flags |= SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOMUTEX;
  const int rc = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
  Connection db(raw);
  if (rc != SQLITE_OK) {
    const std::string message = db ? sqlite3_errmsg(db.get()) : sqlite3_errstr(rc);
    throw Error(rc, describe(rc, "open the database", named, message));
  }
  require_one_name(db.get());
  require_own_log(db.get());
  sqlite3_busy_timeout(db.get(), busy_timeout_ms);
  if (register_search_tokenizer(db.get()) != SQLITE_OK) fail(db.get(), "make the words of search");
  return db;
}

int open_flags(Database::Mode mode) {
  if (mode == Database::Mode::read_only) return SQLITE_OPEN_READONLY;
  return SQLITE_OPEN_READWRITE |
         (mode == Database::Mode::read_write_create ? SQLITE_OPEN_CREATE : 0);
}

// A SQLite file name of the form file:…
std::string uri_of(const std::string& path, std::string_view parameters) {
  constexpr std::string_view kHex = "0123456789abcdef";
  std::string uri = path.starts_with('/') ? "file://" : "file:";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '%' || c == '?' || c == '#' || byte < 0x20 || byte >= 0x7f) {
      uri += {'%', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      uri += c;
    }
  }
  return uri.append(parameters);
}

bool is_plain_path(const std::string& path) {
  return !path.empty() && path != ":memory:" && !path.starts_with("file:");
}

// The path at the end of all symbolic links, from which SQLite makes the names of the files beside
// it.
std::string full_path(const std::string& path) {
  sqlite3_vfs* vfs = sqlite3_vfs_find(nullptr);
  if (vfs == nullptr || !is_plain_path(path)) return path;
  std::string full(static_cast<std::size_t>(vfs->mxPathname) + 1, '\0');
  const int rc = vfs->xFullPathname(vfs, path.c_str(), vfs->mxPathname + 1, full.data());
  return (rc & kPrimaryCode) == SQLITE_OK ? full.c_str() : path;  // for a link, rc has more bits
}

bool is_there(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }
bool is_writable(const std::string& path) { return ::access(path.c_str(), W_OK) == 0; }

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

// A reader in WAL mode takes its locks in a file -shm. If there is none, no writer has the database
// open. True if a reader cannot make that file, or must not, because it would belong to the reader
// and the database's owner could not write to it: the database is then read without locks.
bool lacks_locks(const std::string& path) {
  if (!is_plain_path(path) || is_there(path + "-journal")) return false;
  if (is_there(path + "-wal") && is_there(path + "-shm")) return false;
  return !is_writable(path) || !is_writable(folder_of(path));
}

// The same if there is no room for that file, which SQLite notices at the first read. An incomplete
// file stays there; the next process to open the database completes it.
bool lacks_room_for_locks(sqlite3* db) {
  const int rc = sqlite3_exec(db, "PRAGMA schema_version", nullptr, nullptr, nullptr);
  return rc != SQLITE_OK && lacks_lock_file(sqlite3_extended_errcode(db));
}

// Byte 19 of the file. It is read through SQLite, because opening and closing the file separately
// would drop this process's locks on it.
bool has_wal_format(sqlite3* db) {
  sqlite3_file* file = nullptr;
  char version = 0;
  return sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK &&
         file->pMethods != nullptr && file->pMethods->xRead(file, &version, 1, 19) == SQLITE_OK &&
         version == 2;
}

bool same_time(const timespec& a, const timespec& b) {
  return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool same(const std::optional<struct stat>& a, const std::optional<struct stat>& b) {
  if (!a || !b) return !a && !b;
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
         same_time(a->st_mtim, b->st_mtim) && same_time(a->st_ctim, b->st_ctim);
}

bool is_young(const struct stat& s) {
  using std::chrono::system_clock;
  const auto stamp =
      std::chrono::seconds(s.st_mtim.tv_sec) + std::chrono::nanoseconds(s.st_mtim.tv_nsec);
  const auto age = system_clock::now().time_since_epoch() - stamp;
  return age >= milliseconds(0) && age < kStampAge;
}

Opened open_unlocked(const std::string& path, int busy_timeout_ms) {
  auto unlocked = std::make_unique<Unlocked>(path);
  constexpr int kFlags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
  Connection db = open_flagged(uri_of(path, "?immutable=1"), kFlags, busy_timeout_ms, path);
  if (!has_wal_format(db.get())) return {};
  if (unlocked->has_log()) {
    // Set before the first read, this locking mode makes SQLite keep the log's index in memory.
    db = open_flagged(uri_of(path, "?vfs=unix-none"), kFlags, busy_timeout_ms, path);
    run(db.get(), "PRAGMA locking_mode=EXCLUSIVE");
  }
  return {std::move(db), std::move(unlocked)};
}

}  // namespace

bool lacks_lock_file(int code) {
  return code == SQLITE_IOERR_SHMOPEN || code == SQLITE_IOERR_SHMSIZE ||
         code == SQLITE_IOERR_SHMMAP;
}

std::string describe(int code, std::string_view attempted, std::string_view path,
                     std::string_view message) {
  // A trigger refuses in words of its own: sql/server/moved.sql.
  if (code == SQLITE_CONSTRAINT_TRIGGER) return std::string(message);
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

void run(sqlite3* db, const char* sql) {
  if (sqlite3_exec(db, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail(db, sql);
}

Prepared prepare(sqlite3* db, std::string_view sql, unsigned flags, std::string_view name) {
  sqlite3_stmt* stmt = nullptr;
  const auto size = static_cast<int>(sql.size());
  if (sqlite3_prepare_v3(db, sql.data(), size, flags, &stmt, nullptr) != SQLITE_OK) {
    fail(db, std::string("prepare ").append(name));
  }
  return Prepared(stmt);
}

bool has_log(sqlite3* db) {
  const Prepared mode = prepare(db, "PRAGMA journal_mode", 0, "journal_mode");
  Statement statement(mode.get(), "journal_mode");
  return statement.step() && statement.text(0) == "wal";
}

Unlocked::Unlocked(const std::string& path) : path_(path), files_(look()) {
  while ((files_[0] && is_young(*files_[0])) || (files_[1] && is_young(*files_[1]))) {
    std::this_thread::sleep_for(kStampAge / 4);
    files_ = look();
  }
}

Unlocked::Files Unlocked::look() const {
  Files files;
  const std::array<const char*, 3> suffixes{"", "-wal", "-shm"};
  for (std::size_t i = 0; i < files.size(); ++i) {
    struct stat s {};
    if (::stat((path_ + suffixes[i]).c_str(), &s) == 0) files[i] = s;
  }
  return files;
}

bool Unlocked::has_log() const { return files_[1] && files_[1]->st_size > 0; }

void Unlocked::require_unchanged() const {
  const Files now = look();
  if (same(now[0], files_[0]) && same(now[1], files_[1]) && same(now[2], files_[2])) return;
  throw Error(SQLITE_BUSY,
              describe(SQLITE_BUSY, "read", path_,
                       "it was written to, and here it can only be read without locks"));
}

Opened open_connection(const std::string& path, Database::Mode mode, int busy_timeout_ms) {
  struct stat s {};
  if (is_plain_path(path) && ::stat(path.c_str(), &s) == 0 && !S_ISREG(s.st_mode)) {
    throw NotOurs(path + (S_ISDIR(s.st_mode) ? " is a folder" : " is a device or a pipe") +
                  ", not a file: name another database");
  }
  const std::string full = full_path(path);
  if (is_plain_path(full)) lock_open_files(full);
  const bool may_lack_locks = mode == Database::Mode::read_only && is_there(full);
  if (may_lack_locks && lacks_locks(full)) {
    if (Opened opened = open_unlocked(full, busy_timeout_ms); opened.db) return opened;
  }
  Connection db = open_flagged(full, open_flags(mode), busy_timeout_ms, path);
  if (may_lack_locks && lacks_room_for_locks(db.get())) {
    db.reset();  // closing it writes to the file once more, which would look like a writer
    if (Opened opened = open_unlocked(full, busy_timeout_ms); opened.db) return opened;
    db = open_flagged(full, open_flags(mode), busy_timeout_ms, path);
  }
  return {std::move(db), nullptr};
}

Connection open_new(const std::string& path) {
  return open_flagged(path, SQLITE_OPEN_READWRITE, 0, path);
}

}  // namespace hebb::sql
