// Where a ledger, its mirror and its inbox are kept, and the transactions that span the three.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/inbox/inbox.h"
#include "engine/ledger/ledger.h"
#include "engine/mirror/mirror.h"

namespace hebb {

class Engine;
struct EngineOptions;

// Every failure to read or write throws sql::Error, which says whether trying again may help (busy)
// or the data are damaged (corrupt).
class Storage {
 public:
  enum class Access : std::uint8_t {
    snapshot,     // all reads see the storage as it was at the first read
    write,        // the only writer; durable when commit() returns
    write_lazily  // the same, but commit() does not wait for the disk: a power cut may undo this
    // transaction as a whole, and none that was committed before
  };
  class Transaction {  // the destructor rolls back unless committed
   public:
    virtual ~Transaction() = default;
    virtual void commit() = 0;
  };
  // A part of a write transaction that can be rolled back by itself; kept unless roll_back() is
  // called.
  class Savepoint {
   public:
    virtual ~Savepoint() = default;
    virtual void roll_back() = 0;
  };

  virtual ~Storage() = default;
  virtual Ledger& ledger() = 0;
  virtual Mirror& mirror() = 0;
  virtual Inbox& inbox() = 0;

  virtual std::unique_ptr<Transaction> begin(Access access) = 0;
  virtual std::unique_ptr<Savepoint> savepoint() = 0;  // precondition: inside a write transaction
  virtual bool in_transaction() const = 0;
  virtual void set_busy_timeout(int ms) = 0;  // how long begin() waits for another writer

  // --- upkeep ------------------------------------------------------------------------------------
  // Checks the storage itself (file, schema, search index), not ledger and mirror. O(size).
  struct Health {
    std::vector<std::string> problems;
    bool readable = true;  // ledger and mirror can be read well enough to be checked
    bool indexed = true;   // what is read through an index is what the tables hold
  };
  virtual Health check() = 0;
  // Makes views, indexes and triggers anew; they hold no data of their own. Precondition: inside a
  // write transaction. Throws sql::Error with corrupt(), and changes nothing, if the file is
  // damaged; and if the tables hold what no index can.
  virtual void restore() = 0;
  // Copies it into one file, while others go on writing. replace: overwrite an existing file.
  virtual void back_up(const std::string& path, bool replace) = 0;
  virtual std::int64_t bytes() const = 0;
};

// What EngineOptions::storage is where it is not given. Throws as the constructor of Engine.
std::unique_ptr<Storage> open_storage(const EngineOptions& options);

// For tests, and for rooms that need more of an engine's storage than engine.h gives.
Storage& storage_of(Engine& engine);

}  // namespace hebb
