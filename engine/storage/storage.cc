#include "engine/storage/storage.h"

#include <algorithm>

#include <fmt/format.h>

#include "sql/quote.h"
#include "sql/schema_check.h"

namespace hebb {

namespace {

// SQLite compares the list of free pages with the pages that are in use only if the first table of
// the schema has pages of its own, which a view has not. While one of these lives, none is first.
// That needs the write lock and, like the search index, is left undone where it cannot be had.
class NoViewFirst {
 public:
  explicit NoViewFirst(sql::Database& db) {
    if (!db.in_transaction()) transaction_.emplace(db, sql::Transaction::Kind::deferred);
    savepoint_.emplace(db);
    try {
      while (const auto view = first_view(db)) db.exec("DROP VIEW main." + sql::quoted_name(*view));
    } catch (const sql::Error&) {
      undo();
      throw;
    }
  }
  ~NoViewFirst() { undo(); }

 private:
  static std::optional<std::string> first_view(sql::Database& db) {
    auto& table = db.query(sql::Query::first_table);
    const sql::Reset reset(table);
    if (!table.step() || table.text(1) != "view") return std::nullopt;
    return std::string(table.text(0));
  }
  void undo() {
    try {
      savepoint_->roll_back();
    } catch (const sql::Error&) {
      return;  // SQLite has rolled back the whole transaction
    }
  }

  std::optional<sql::Transaction> transaction_;  // is never committed
  std::optional<sql::Savepoint> savepoint_;
};

void check_pages(sql::Database& db, bool read_only, Storage::Health& health) {
  const auto damaged = [&](std::string_view what) {
    health.readable = false;
    health.problems.push_back(fmt::format("file: {}", what));
  };
  std::optional<NoViewFirst> no_view_first;
  try {
    if (!read_only) no_view_first.emplace(db);
  } catch (const sql::Error& e) {
    if (e.damage()) damaged(e.what());
  }
  auto& integrity = db.query(sql::Query::integrity_check);
  const sql::Reset reset(integrity);
  try {
    while (integrity.step()) {
      sql::require_pages_read(integrity.text(0));
      const bool of_index = integrity.integer(1) != 0;
      if (of_index && !health.readable) return;  // it is the damage that was found already
      if (integrity.text(0) == "ok") continue;
      if (of_index) {
        health.indexed = false;
        health.problems.push_back(
            fmt::format("index: {}; `hebb rebuild` mends it", integrity.text(0)));
      } else {
        damaged(integrity.text(0));
      }
    }
  } catch (const sql::Error& e) {  // keeps the problems found before
    if (!e.damage() && e.code() != sql::kFailed) throw;  // kFailed: the text of a table is damaged
    damaged(e.what());
  }
}

// Writing to a file whose pages are mixed up overwrites whole ones. Throws sql::Error with
// corrupt(). Precondition: inside a write transaction.
void refuse_damaged_pages(sql::Database& db) {
  std::string damage;
  try {
    const NoViewFirst no_view_first(db);
    auto& page = db.query(sql::Query::page_check);
    const sql::Reset reset(page);
    if (page.step()) damage = page.text(0);
    sql::require_pages_read(damage);
  } catch (const sql::Error& e) {
    if (!e.damage()) throw;
    damage = e.what();
  }
  if (damage.empty()) return;
  throw sql::Error(sql::kCorrupt, fmt::format("nothing was changed: {}; restore a backup", damage));
}

void check_keys(sql::Database& db, std::vector<std::string>& problems) {
  auto& keys = db.query(sql::Query::foreign_key_check);
  const sql::Reset reset_keys(keys);
  while (keys.step()) {
    problems.push_back(
        fmt::format("tables: {} names a row of {} that is not there; `hebb rebuild` mends it",
                    keys.text(0), keys.text(2)));
  }
}

// Adds the schema's problems. True if one (a missing table) makes further checks impossible.
bool check_schema(sql::Database& db, std::vector<std::string>& problems) {
  if (const auto trigger = sql::foreign_trigger(db)) {
    problems.push_back("schema: " + *trigger);
    return true;  // nothing is written as long as it is there
  }
  const auto faults = sql::check_schema(db);
  const bool stops = !std::ranges::all_of(faults, &sql::SchemaFault::restorable);
  for (const sql::SchemaFault& fault : faults) {
    problems.push_back(fmt::format("schema: the {} {} {}; {}", fault.type, fault.name, fault.what,
                                   stops ? "restore a backup" : "`hebb rebuild` mends it"));
  }
  return stops;
}

// Compares the search index with the nodes' words. That needs the write lock and room on the disk;
// without them it is left unchecked.
void check_search(sql::Database& db, std::vector<std::string>& problems) {
  try {
    db.query(sql::Query::search_check).run();
  } catch (const sql::Error& e) {
    if (!e.corrupt()) return;
    problems.push_back(fmt::format("search index: {}; `hebb rebuild` mends it", e.what()));
  }
}

}  // namespace

Storage::Storage(sql::Database db, bool read_only)
    : db_(std::make_unique<sql::Database>(std::move(db))),
      read_only_(read_only),
      ledger_(*db_),
      mirror_(*db_),
      inbox_(*db_) {}

std::shared_ptr<void> Storage::read_snapshot() {
  if (db_->in_transaction()) return nullptr;
  return std::make_shared<sql::Transaction>(*db_, sql::Transaction::Kind::deferred);
}

Storage::Health Storage::check() {
  Health health;
  check_pages(*db_, read_only_, health);
  if (!health.readable) return health;  // a damaged file is not worth comparing
  if (health.indexed) check_keys(*db_, health.problems);
  health.readable = !check_schema(*db_, health.problems);
  if (health.readable && health.indexed && !read_only_) check_search(*db_, health.problems);
  return health;
}

void Storage::restore() {
  refuse_damaged_pages(*db_);
  sql::restore_schema(*db_);
  try {
    db_->exec("REINDEX");
  } catch (const sql::Error& e) {
    if (!e.constraint()) throw;
    throw sql::Error(sql::kCorrupt,
                     fmt::format("{}: no index can have both rows; restore a backup", e.what()));
  }
}

}  // namespace hebb
