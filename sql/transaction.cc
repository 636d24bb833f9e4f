// Transactions: of one connection, as parts of another transaction, and with a copy's upstream.
#include <string>

#include <sqlite3.h>

#include "sql/database.h"
#include "sql/upstream.h"

namespace hebb::sql {

// Transaction -------------------------------------------------------------------------------------

namespace {

// A full disk, for example, rolls back all that was to be committed together.
void require_open(const Database& db) {
  if (!db.in_transaction()) throw Error(SQLITE_ABORT, "what was to be committed with this failed");
}

}  // namespace

Transaction::Transaction(Database& db, Kind kind) : db_(db), kind_(kind) {
  if (db_.is_writing()) {
    require_open(db_);
    part_ = std::make_unique<Savepoint>(db_);
    return;
  }
  if (kind == Kind::deferred) {
    db_.exec("BEGIN");
  } else {
    turn_ = db_.begin_writing();
  }
  db_.require_files();
  if (kind != Kind::immediate) return;
  db_.set_writing(true);
  if (!db_.upstream()) return;
  try {
    db_.upstream()->begin(db_);
  } catch (...) {
    db_.set_writing(false);
    sqlite3_exec(db_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
  upstream_ = db_.upstream();
}

Transaction::~Transaction() {
  if (part_) {
    // It fails only if SQLite has rolled back the whole.
    if (!done_) sqlite3_exec(db_.handle(), "ROLLBACK TO part", nullptr, nullptr, nullptr);
    return;
  }
  if (kind_ == Kind::immediate) db_.set_writing(false);
  if (upstream_) upstream_->roll_back();
  // A full disk or a failed read may have rolled it back already.
  if (done_ || sqlite3_get_autocommit(db_.handle()) != 0) return;
  sqlite3_exec(db_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  if (part_) {
    done_ = true;
    return;
  }
  if (kind_ != Kind::deferred) {
    db_.require_files();
    require_open(db_);
  }
  const bool is_upstream = upstream_ != nullptr;
  if (is_upstream) upstream_->commit(db_);
  upstream_ = nullptr;
  try {
    db_.exec("COMMIT");
  } catch (const Error& e) {
    if (!is_upstream) throw;
    throw UpstreamError(e.code(),
                        std::string("what was to be written is on the server, so do not give it "
                                    "again; but the copy of this machine could not be written: ") +
                            e.what());
  }
  done_ = true;
  if (kind_ == Kind::immediate) db_.set_writing(false);
  turn_.reset();
  // SQLite can still write to a file that was deleted, but its content is lost when the last
  // process closes it. A copy loses nothing: upstream has it.
  if (!is_upstream) db_.require_files();
}

Savepoint::Savepoint(Database& db) : db_(db) { db_.exec("SAVEPOINT part"); }

Savepoint::~Savepoint() { sqlite3_exec(db_.handle(), "RELEASE part", nullptr, nullptr, nullptr); }

void Savepoint::roll_back() { db_.exec("ROLLBACK TO part"); }

}  // namespace hebb::sql
