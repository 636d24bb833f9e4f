// Ledger, mirror and inbox in one SQLite file.
#pragma once

#include "engine/inbox/sqlite_inbox.h"
#include "engine/ledger/sqlite_ledger.h"
#include "engine/mirror/sqlite_mirror.h"
#include "engine/storage/storage.h"
#include "engine/storage/tables.h"
#include "sql/database.h"

namespace hebb {

class SqliteStorage : public Storage {
 public:
  SqliteStorage(sql::Database db, bool read_only);  // of the newest schema

  Ledger& ledger() override { return ledger_; }
  Mirror& mirror() override { return mirror_; }
  Inbox& inbox() override { return inbox_; }
  std::unique_ptr<Transaction> begin(Access access) override;
  std::unique_ptr<Savepoint> savepoint() override;
  bool in_transaction() const override;
  void set_busy_timeout(int ms) override;
  Health check() override;
  void restore() override;
  void back_up(const std::string& path, bool replace) override;
  std::int64_t bytes() const override;

  sql::Database& database() { return *db_; }

 private:
  std::unique_ptr<sql::Database> db_;  // stays where it is: the others refer to it
  bool read_only_;
  SqliteLedger ledger_;
  SqliteMirror mirror_;
  SqliteInbox inbox_;
};

}  // namespace hebb
