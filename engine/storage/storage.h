// Where a ledger, its mirror and its inbox are kept: one SQLite file, and the transactions that
// span the three.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/inbox/inbox.h"
#include "engine/ledger/ledger.h"
#include "engine/mirror/mirror.h"
#include "sql/database.h"
#include "sql/upstream.h"

namespace hebb {

// Every failure to read or write throws sql::Error, which says whether trying again may help (busy)
// or the data are damaged (corrupt).
class Storage {
 public:
  Storage(sql::Database db, bool read_only);  // of the newest schema

  Ledger& ledger() { return ledger_; }
  Mirror& mirror() { return mirror_; }
  Inbox& inbox() { return inbox_; }
  sql::Database& database() { return *db_; }
  // The ledger that it is a copy of; nullptr: it is no copy.
  sql::Upstream* upstream() const { return db_->upstream(); }

  // As long as the result lives, all reads see one moment. nullptr inside a transaction, whose
  // reads see one moment anyway.
  std::shared_ptr<void> read_snapshot();
  // How long a write transaction waits for another writer.
  void set_busy_timeout(int ms) { db_->set_busy_timeout(ms); }

  // --- upkeep ------------------------------------------------------------------------------------
  // Checks the storage itself (file, schema, search index), not ledger and mirror. O(size).
  struct Health {
    std::vector<std::string> problems;
    bool readable = true;  // ledger and mirror can be read well enough to be checked
    bool indexed = true;   // the indexes agree with the tables
  };
  Health check();
  // Makes views, indexes and triggers anew; they hold no data of their own. Precondition: inside a
  // write transaction. Throws sql::Error with corrupt(), and changes nothing, if the file is
  // damaged; and if the tables hold what no index can.
  void restore();

 private:
  std::unique_ptr<sql::Database> db_;  // stays where it is: the others refer to it
  bool read_only_;
  Ledger ledger_;
  Mirror mirror_;
  Inbox inbox_;
};

// Runs `work`, which writes and can be repeated. Where the ledger is on a server, others may append
// meanwhile; if one does, `work` runs once more, and others wait. work(last): `last` says whether
// this is the last time.
template <class Work>
auto retry_if_overtaken(Storage& storage, const Work& work) {
  sql::Upstream* const server = storage.upstream();
  if (!server) return work(true);
  const std::shared_ptr<void> ended(nullptr, [&](void*) { server->expect_no_others(false); });
  server->expect_no_others(true);
  try {
    return work(false);
  } catch (const sql::Overtaken&) {
  }
  server->expect_no_others(false);
  return work(true);
}

}  // namespace hebb
