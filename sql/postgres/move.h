// Moves a database to a server and back; compares and removes a copy whose server lost events.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sql/database.h"
#include "sql/postgres/address.h"

namespace hebb::postgres {

struct Moved {
  std::int64_t events = 0;
  std::int64_t checksum = 0;  // of the last one, which depends on all of them; the same in both
};
using MoveProgress = std::function<void(std::size_t done, std::size_t total)>;

// Moves a SQLite database to a ledger that is empty or holds the first events of this database.
// Others may write to `from` meanwhile. When it returns, all events are on the server, and each
// later write to `from` fails with an error that names the server. After an interruption, call it
// again: it continues. Throws sql::Error.
Moved move_to_server(sql::Database& from, const Address& to, const MoveProgress& progress);

// Moves a ledger to a SQLite database at a path that is not used yet. As soon as it begins, nobody
// can append on the server. `copy`: this machine's copy of the ledger.
Moved move_to_file(sql::Database& copy, const Address& from, const std::string& path);

// The position up to which a copy and its server have the same events. O(log events) queries.
std::int64_t last_common(const Address& address, int timeout_ms);
// Removes the copy of this machine; the next command makes it anew from the server.
void remove_copy(const Address& address);

}  // namespace hebb::postgres
