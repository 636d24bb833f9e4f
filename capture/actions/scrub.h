// Secrets out of what is stored already: by an earlier version, which knew fewer of them, or before
// a session had shown that a value is one.
#pragma once

#include <cstdint>

#include "sql/database.h"

namespace hebb::capture {

struct ScrubReport {
  std::int64_t sessions = 0;
  std::int64_t calls = 0;    // looked at
  std::int64_t changed = 0;  // calls in which something was masked now
  // The old bytes are gone from the file and from its -wal. Not so where another connection reads
  // the database meanwhile: scrub again when it is closed.
  bool erased = false;
};

// Masks arguments, results and failures of every session as a recorder does, twice: what a session
// shows last is known when its first call is looked at. In batches, each a transaction, with the
// freed bytes overwritten; then the file is written anew (VACUUM), which needs as much free disk
// again. A run that was killed is completed by the next. Throws sql::Error.
ScrubReport scrub_actions(sql::Database& db);

}  // namespace hebb::capture
