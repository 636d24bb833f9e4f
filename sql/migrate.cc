// Brings a database to the newest schema. Its version is PRAGMA user_version, read again under the
// write lock, so that of two processes that start together one migrates and the other finds it
// done.
#include <string>

#include <sqlite3.h>

#include "sql/database.h"
#include "sql/ledger_chain.h"

namespace hebb::sql {
namespace {

int newest(std::span<const Migration> steps) { return steps.empty() ? 1 : steps.back().version; }

int version_of(Database& db, int known) {
  const auto version = static_cast<int>(db.scalar("PRAGMA user_version"));
  if (version > known) {
    throw NewerSchema(db.path() + " has schema version " + std::to_string(version) +
                      ", this program knows versions up to " + std::to_string(known) +
                      ": use a newer program");
  }
  if (version < 0) {
    throw Error(SQLITE_CORRUPT, db.path() + " has schema version " + std::to_string(version) +
                                    ", which no program wrote");
  }
  return version;
}

// Databases of hebb 0.1 have no application_id: they are recognised by their tables and columns.
bool has_tables_of_0_1(Database& db) { return db.integer(Query::tables_of_0_1) == 4; }

void require_ours(Database& db) {
  // One view of the file, which another process may be creating.
  const Transaction transaction(db, Transaction::Kind::deferred);
  const auto mark = db.scalar("PRAGMA application_id");
  if (mark == kApplicationId) return;
  const auto version = db.scalar("PRAGMA user_version");
  const bool empty = db.scalar("SELECT count(*) FROM sqlite_schema") == 0;
  constexpr int kOf01 = 3;  // the newest version without an application_id
  if (mark == 0 && empty && version == 0) return;
  if (mark == 0 && version >= 1 && version <= kOf01 && has_tables_of_0_1(db)) return;
  throw NotOurs(db.path() + " belongs to another program; choose another file");
}

void create(Database& db, std::string_view schema) {
  if (db.scalar("SELECT count(*) FROM sqlite_schema") != 0) {
    throw NotOurs(db.path() + " has tables that another program made meanwhile");
  }
  db.exec(schema);
}

constexpr int kChained = 4;  // with this version rows of the ledger have checksums

// Applies the migration that follows `version`; returns the version that it leads to.
int advance(Database& db, int version, std::span<const Migration> steps) {
  for (const Migration& step : steps) {
    if (step.version != version + 1) continue;
    db.exec(step.sql);
    if (step.version == kChained) chain_ledger(db);
    if (db.scalar("SELECT count(*) FROM pragma_foreign_key_check") != 0) {
      throw Error(SQLITE_CONSTRAINT_FOREIGNKEY, "migration " + std::to_string(step.version) + " " +
                                                    std::string(step.name) + " on " + db.path() +
                                                    " would leave rows that point nowhere");
    }
    return step.version;
  }
  throw Error(SQLITE_ERROR,
              db.path() + ": no migration leads on from version " + std::to_string(version));
}

}  // namespace

int schema_version() { return newest(migrations()); }

void migrate(Database& db) {
  require_ours(db);
  if (sqlite3_db_readonly(db.handle(), "main") == 0) db.use_wal();
  migrate(db, schema_sql(), migrations());
}

void migrate(Database& db, std::string_view schema, std::span<const Migration> steps) {
  const int target = newest(steps);
  if (version_of(db, target) == target) return;  // the usual case, without the write lock
  if (sqlite3_db_readonly(db.handle(), "main") == 1) {
    throw Error(SQLITE_READONLY, db.path() +
                                     " is of an older program or of none; it has to be opened once "
                                     "by one that may write to it");
  }
  // Rebuilding a table needs foreign keys off, and a temporary journal of the freed pages, which
  // may be most of the database and so must be on disk. Both can be set only outside a transaction.
  const std::shared_ptr<void> as_before(nullptr, [&](void*) {
    constexpr auto kSql = "PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY";
    sqlite3_exec(db.handle(), kSql, nullptr, nullptr, nullptr);
  });
  db.exec("PRAGMA foreign_keys=OFF; PRAGMA temp_store=FILE");
  for (;;) {
    Transaction transaction(db);
    int version = version_of(db, target);
    if (version == target) return;
    if (version == 0) {
      create(db, schema);
      version = target;
    } else {
      version = advance(db, version, steps);
    }
    db.exec("PRAGMA user_version=" + std::to_string(version));
    db.exec("PRAGMA application_id=" + std::to_string(kApplicationId));
    transaction.commit();
  }
}

}  // namespace hebb::sql
