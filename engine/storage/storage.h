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

// Every failure to read or write leaves as sql::Error, which says whether it is worth trying again
// (busy), or the data are damaged (corrupt).
class Storage {
 public:
  enum class Access : std::uint8_t {
    snapshot,     // all that is read is of one moment, that of the first reading
    write,        // the only writer; durable when commit() returns
    write_lazily  // the same, and commit() does not wait for the disk: a power cut may undo it, as
                  // a whole, and nothing that was committed before
  };
  class Transaction {  // takes all back unless committed
   public:
    virtual ~Transaction() = default;
    virtual void commit() = 0;
  };
  // Part of a write transaction that can be taken back while the rest stands; kept unless rolled
  // back.
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
  // Whether the storage itself is whole, whatever the ledger and the mirror say. O(size).
  struct Health {
    std::vector<std::string> problems;
    bool readable = true;  // ledger and mirror can be checked all the same
  };
  virtual Health check() = 0;
  // Makes again whatever holds nothing of its own: views, indexes, triggers. Precondition: inside a
  // write transaction.
  virtual void restore() = 0;
  // A copy in one file, while others go on writing. replace: a file that is there is replaced.
  virtual void back_up(const std::string& path, bool replace) = 0;
  virtual std::int64_t bytes() const = 0;
};

// For tests, and for rooms that need more of an engine's storage than engine.h gives.
Storage& storage_of(Engine& engine);

}  // namespace hebb
