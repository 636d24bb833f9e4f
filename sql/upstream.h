// The original of a database that is a copy. It takes part in each write transaction of the copy
// that changes shared data. An interface: sql/postgres/copy.h has the implementation.
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
  // now on nobody else appends, until commit() or roll_back(). Throws Error.
  virtual void begin(Database& copy) = 0;
  // Called before the copy's own commit; the changes are durable upstream when it returns. Throws
  // Error; throws Overtaken, with nothing changed, after expect_no_others(true) or a broken
  // connection.
  virtual void commit(Database& copy) = 0;
  virtual void roll_back() noexcept = 0;

  // true: until the next call, write transactions do not keep others from appending, and begin()
  // does not bring the copy up to date; if somebody appends, commit() throws Overtaken. Any failure
  // before that may have the outdated copy as its only cause. Faster if others seldom write, for a
  // caller that can do the work again. While others often write, it has no effect.
  virtual void expect_no_others(bool expected) = 0;
  // Brings the copy up to date if that was last done more than `behind_s` seconds ago; a limit in
  // its address replaces this one, unless it is 0: then in any case. If it fails but reading may go
  // on with the copy as it is, returns why. Throws Error if the copy and upstream contradict each
  // other.
  virtual std::optional<std::string> freshen(Database& copy, double behind_s) = 0;
  // When it was last brought up to date, in milliseconds since 1970, by the clock of this machine.
  virtual std::optional<std::int64_t> fresh_at() const = 0;
  // What is wrong with the copy or with upstream, a line each. O(ledger).
  virtual std::vector<std::string> check(Database& copy) = 0;
};

}  // namespace hebb::sql
