// Brings a database to the newest schema. Its version is PRAGMA user_version, read again under the
// write lock, so that of two processes that start together one migrates and the other finds it
// done.
#include <string>

#include <sqlite3.h>

#include "sql/database.h"
#include "sql/ledger_chain.h"

namespace hebb::sql {
namespace {

// Rebuilding a table needs foreign keys off, and a temporary journal of the freed pages, which may
// be most of the database and so must be on disk. Both can be set only outside a transaction.
class ForRebuilding {
 public:
  explicit ForRebuilding(Database& db) : db_(db) {
    db_.exec("PRAGMA foreign_keys=OFF; PRAGMA temp_store=FILE");
  }
  ~ForRebuilding() {
    sqlite3_exec(db_.handle(), "PRAGMA foreign_keys=ON; PRAGMA temp_store=MEMORY", nullptr, nullptr,
                 nullptr);
  }
  ForRebuilding(const ForRebuilding&) = delete;
  ForRebuilding& operator=(const ForRebuilding&) = delete;

 private:
  Database& db_;
};

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
bool has_tables_of_0_1(Database& db) {
  auto& tables = db.query(Query::tables_of_0_1);
  const Reset reset(tables);
  return tables.step() && tables.integer(0) == 4;
}

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

// Code that a migration runs after its SQL; `version` is the one that the migration leads to.
struct Work {
  int version;
  void (*run)(Database& db);
};
constexpr Work kWork[] = {{4, chain_ledger}};

// Applies the migration that follows `version`; returns the version that it leads to.
int advance(Database& db, int version, std::span<const Migration> steps,
            std::span<const Work> work) {
  for (const Migration& step : steps) {
    if (step.version != version + 1) continue;
    db.exec(step.sql);
    for (const Work& w : work) {
      if (w.version == step.version) w.run(db);
    }
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

void migrate(Database& db, std::string_view schema, std::span<const Migration> steps,
             std::span<const Work> work) {
  const int target = newest(steps);
  if (version_of(db, target) == target) return;  // the usual case, without the write lock
  if (sqlite3_db_readonly(db.handle(), "main") == 1) {
    throw Error(SQLITE_READONLY, db.path() +
                                     " is of an older program or of none; it has to be opened once "
                                     "by one that may write to it");
  }
  const ForRebuilding rebuilding(db);
  for (;;) {
    Transaction transaction(db);
    int version = version_of(db, target);
    if (version == target) return;
    if (version == 0) {
      create(db, schema);
      version = target;
    } else {
      version = advance(db, version, steps, work);
    }
    db.exec("PRAGMA user_version=" + std::to_string(version));
    db.exec("PRAGMA application_id=" + std::to_string(kApplicationId));
    transaction.commit();
  }
}

}  // namespace

int schema_version() { return newest(migrations()); }

void migrate(Database& db) {
  require_ours(db);
  if (sqlite3_db_readonly(db.handle(), "main") == 0) db.use_wal();
  migrate(db, schema_sql(), migrations(), kWork);
}

void migrate(Database& db, std::string_view schema, std::span<const Migration> steps) {
  migrate(db, schema, steps, {});
}

}  // namespace hebb::sql
