// What a database is a copy of, if it is one: it is asked around each write transaction of the copy
// that changes what others have, too. Knows nothing of what that is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sql/database.h"

namespace hebb::sql {

class Upstream {
 public:
  virtual ~Upstream() = default;

  // Within a write transaction of the copy that has just begun: brings the copy up to date. From
  // now on nobody else appends, until one of the next two. Throws Error.
  virtual void begin(Database& copy) = 0;
  // Before the copy's own commit: what was changed is durable upstream when it returns. Throws
  // Error; Overtaken, and then nothing was changed, after expect_no_others() or where the
  // connection broke.
  virtual void commit(Database& copy) = 0;
  virtual void roll_back() noexcept = 0;

  // Until it is called again: write transactions do not keep others from appending; if somebody
  // does, commit() throws Overtaken. What fails before that may fail only because the copy was
  // behind. Faster where others seldom write, for whoever can do the work again. While others often
  // write, it has no effect.
  virtual void expect_no_others(bool expected) = 0;
  // Brings the copy up to date if that was last done longer ago than so many seconds, or than its
  // address says; 0: in any case. Returns why it could not be done, where reading may go on with
  // what is there; throws Error if the copy and upstream contradict each other.
  virtual std::optional<std::string> freshen(Database& copy, double behind_s) = 0;
  // When it was last brought up to date, in milliseconds since 1970, by the clock of this machine.
  virtual std::optional<std::int64_t> fresh_at() const = 0;
  // What is wrong with the copy or with upstream, a line each. O(ledger).
  virtual std::vector<std::string> check(Database& copy) = 0;
};

}  // namespace hebb::sql
