// Masks secrets in calls that are stored already. They are there because an earlier version knew
// fewer kinds of secrets, or because the session showed only later that a value is secret.
#pragma once

#include <cstdint>

#include "sql/database.h"

namespace hebb::capture {

struct ScrubReport {
  std::int64_t sessions = 0;
  std::int64_t calls = 0;    // calls examined
  std::int64_t changed = 0;  // calls in which a secret was masked now
  // The old bytes are gone from the file and from its -wal. False if another connection was reading
  // the database: scrub again when it is closed.
  bool erased = false;
};

// Masks arguments, results and failures of every session as a recorder does. It does so twice, so
// that secrets which a session shows last are also masked in its first calls. It works in batches,
// each a transaction, and overwrites the freed bytes; then it writes the file anew (VACUUM), which
// needs as much free disk space again. If a run is killed, the next completes it. May throw
// sql::Error.
ScrubReport scrub_actions(sql::Database& db);

}  // namespace hebb::capture
