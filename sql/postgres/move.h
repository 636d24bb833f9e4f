// Moving a database to a server and back, and what a copy has that its server lost.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sql/postgres/address.h"
#include "sql/database.h"

namespace hebb::postgres {

struct Moved {
  std::int64_t events = 0;
  std::int64_t checksum = 0;  // of the last one, which depends on all of them; the same in both
};
using MoveProgress = std::function<void(std::size_t done, std::size_t total)>;

// Moves a SQLite database to a ledger that is empty or has its first events from it. Others may
// write to it meanwhile; at its end all that they wrote is on the server, and from then on a write
// to `from` fails with an error that says where the ledger is. Cut short, it goes on when called
// again. Throws sql::Error.
Moved move_to_server(sql::Database& from, const Address& to, const MoveProgress& progress);

// Moves a ledger to a SQLite database at a path where nothing is. From its beginning on nobody
// appends on the server. `copy`: that of this machine.
Moved move_to_file(sql::Database& copy, const Address& from, const std::string& path);

// Up to which event a copy and its server have the same; O(log events) questions.
std::int64_t last_common(const Address& address, int timeout_ms);
// Removes the copy of this machine; the next command makes it anew from the server.
void remove_copy(const Address& address);

}  // namespace hebb::postgres
